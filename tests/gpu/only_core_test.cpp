// A launch that has one core only: it goes on by itself while the memory system sleeps, and all is as cycle by cycle,
// to the end of its last block.
#include <gtest/gtest.h>

#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

constexpr std::string_view kCounts = R"(
.visible .entry k(.param .u64 out, .param .u32 rounds) {
  .reg .b32 %r<6>;
  .reg .b64 %d<4>;
  .reg .pred %p;
  ld.param.u64 %d0, [out];
  ld.param.u32 %r1, [rounds];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %d1, %r2, 4;
  add.u64 %d0, %d0, %d1;
  ld.global.u32 %r0, [%d0];
AGAIN:
  mad.lo.u32 %r0, %r0, 3, %r2;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra AGAIN;
  st.global.u32 [%d0], %r0;
  ret;
})";

std::vector<KernelStats> launches(std::string_view preset, bool skip, unsigned blocks, uint32_t rounds) {
  GpuOptions options;
  options.timed = true;
  options.skip = skip;
  options.threads = 1;
  // One block has one of the machine's cores.
  Gpu gpu(make_config(preset, std::vector<std::string>(blocks > 1 ? 1 : 0, "cores=1")), options);
  gpu.load("test.ptx", with_header(kCounts));
  const Buffer<uint32_t> out(gpu, std::vector<uint32_t>(96, 1), "out");
  for (int i = 0; i < 2; ++i) gpu.launch("k", {{blocks}, {96}}, Arguments(out.address(), rounds));
  return gpu.launches();
}

TEST(OnlyCore, goes_on_by_itself_and_all_is_as_cycle_by_cycle) {
  for (const char* preset : {"h200", "tbc-hpca11", "default", "large-warp-2010"})
    for (const unsigned blocks : {1U, 40U})
      for (uint32_t rounds = 1; rounds < 20; ++rounds)
        EXPECT_EQ(launches(preset, true, blocks, rounds), launches(preset, false, blocks, rounds))
            << preset << " " << blocks << " " << rounds;
}

}  // namespace
}  // namespace heddle::test
