// Registers that a thread reads before it has written to them are zero, whatever another block has left in their place.
#include <gtest/gtest.h>

#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

// Of each block the lower half of the threads reads registers that only the upper half has written to; then all write
// to them, as the last thing they do.
constexpr std::string_view kHalf = R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  setp.lt.u32 %p1, %r1, 16;
  @%p1 bra READ;
  mov.u32 %r3, 7;
  mov.u64 %rd2, 40;
  setp.eq.u32 %p2, %r1, %r1;
READ:
  cvt.u32.u64 %r4, %rd2;
  add.u32 %r4, %r4, %r3;
  @%p2 add.u32 %r4, %r4, 100;
  mad.lo.u32 %r5, %r2, 32, %r1;
  mul.wide.u32 %rd3, %r5, 4;
  add.u64 %rd4, %rd1, %rd3;
  st.global.u32 [%rd4], %r4;
  add.u32 %r3, %r1, 1000;
  add.u64 %rd2, %rd1, 3;
  setp.eq.u32 %p2, %r2, %r2;
  ret;
})";

class FirstRead : public ::testing::TestWithParam<bool> {};

TEST_P(FirstRead, is_zero) {
  constexpr unsigned blocks = 64, threads = 32;
  GpuOptions options;
  options.timed = GetParam();
  Gpu gpu(make_config("default", {}), options);
  gpu.load("test.ptx", with_header(kHalf));
  Buffer<uint32_t> out(gpu, blocks * threads, "out");
  gpu.launch("k", {{blocks}, {threads}}, Arguments(out.address()));
  const std::vector<uint32_t> found = out.download();
  for (unsigned i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], i % threads < 16 ? 0U : 147U) << i;
}

INSTANTIATE_TEST_SUITE_P(Emulation, FirstRead, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(CycleLevel, FirstRead, ::testing::Values(true));

}  // namespace
}  // namespace heddle::test
