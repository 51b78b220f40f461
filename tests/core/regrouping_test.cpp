// What regrouping does to memory: a formed warp touches the lines of the warps its threads come from.
#include <fmt/format.h>

#include "core/micro.h"

namespace heddle::test {
namespace {

// Two warps; of the first the lower 16 lanes load, of the second the upper 16: one formed warp under tbc. Each thread
// reads word tid, so that each half warp reads 64 bytes of a line of its own.
struct Loads {
  uint64_t slots, lines;
};

Loads loads_under(const char* mechanism) {
  TimedGpu gpu({"capri-isca12", {}, mechanism});
  gpu.load_body(
      "mov.u32 %r2, %tid.x; and.b32 %r3, %r2, 31; shr.u32 %r4, %r2, 5; shr.u32 %r5, %r3, 4;\n"
      "setp.ne.u32 %p1, %r4, %r5; @%p1 bra OUT;\n"
      "mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r1, [%rd3];\nOUT:\n");
  const Buffer<uint32_t> words(gpu, 64, "words");
  const KernelStats& stats = gpu.run({1}, {64}, words.address());
  const CoreStats cores = stats.timing->all_cores();
  return {cores.memory_slots, cores.lines};
}

TEST(Regrouping, a_formed_warp_touches_the_lines_of_all_warps_its_threads_come_from) {
  const Loads pdom = loads_under("pdom"), tbc = loads_under("tbc");
  EXPECT_EQ(pdom.slots, 2U);
  EXPECT_EQ(pdom.lines, 2U);
  EXPECT_EQ(tbc.slots, 1U);
  EXPECT_EQ(tbc.lines, 2U) << "one instruction of two lines";
}

}  // namespace
}  // namespace heddle::test
