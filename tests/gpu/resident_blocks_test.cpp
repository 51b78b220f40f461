// Without a clock: blocks that wait for blocks of other cores.
#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

// All blocks wait for the last one, and count how often they ask (so that they come to something new each time).
constexpr std::string_view kWaitsForTheLast = R"(
.visible .entry k(.param .u64 flag) {
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %d;
  ld.param.u64 %d, [flag];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %nctaid.x;
  add.u32 %r1, %r1, 1;
  mov.u32 %r4, 0;
  setp.eq.u32 %p, %r1, %r2;
  @%p st.volatile.global.u32 [%d], %r1;
ASK:
  add.u32 %r4, %r4, 1;
  ld.volatile.global.u32 %r3, [%d];
  setp.eq.u32 %p, %r3, 0;
  @%p bra ASK;
  atom.global.add.u32 %r5, [%d+4], 1;
  ret;
})";

std::vector<uint32_t> flag_and_count(unsigned blocks, const std::vector<std::string>& set) {
  SmallGpu gpu(kWaitsForTheLast, set);
  Buffer<uint32_t> words(gpu, std::vector<uint32_t>(2), "words");
  gpu.launch("k", {{blocks}, {32}}, Arguments(words.address()));
  return words.download();
}

TEST(ResidentBlocks, those_that_wait_for_one_that_does_not_fit_a_core_get_on) {
  EXPECT_EQ(flag_and_count(300, {"core_blocks=4"}), (std::vector<uint32_t>{300, 300 * 32}));
}

TEST(ResidentBlocks, are_as_many_as_asked_for) {
  EXPECT_EQ(flag_and_count(12, {"core_blocks=4", "resident_blocks=12"}), (std::vector<uint32_t>{12, 12 * 32}));
  const std::string text = error_of(ExitCode::Deadlock, [] {
    flag_and_count(12, {"core_blocks=4", "resident_blocks=11", "max_slots=3000000"});
  });
  EXPECT_EQ(text.find("kernel k has not ended after "), 0U) << text;
}

}  // namespace
}  // namespace heddle::test
