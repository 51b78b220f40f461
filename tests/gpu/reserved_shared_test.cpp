// Shared memory that the system keeps for itself (%reserved_smem_offset_…): apart from the kernel's own, in one piece,
// and memory like the other.
#include <gtest/gtest.h>

#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

constexpr std::string_view kKernel = R"(
.extern .shared .align 16 .b8 dynamic[];
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %d<3>;
  .shared .align 4 .b8 own[40];
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %reserved_smem_offset_begin;
  mov.u32 %r1, %reserved_smem_offset_end;
  mov.u32 %r2, %reserved_smem_offset_cap;
  mov.u32 %r3, %reserved_smem_offset_0;
  mov.u32 %r4, %reserved_smem_offset_1;
  mov.u32 %r5, own;
  mov.u32 %r6, dynamic;
  mov.u32 %r7, 77;
  st.shared.u32 [%r4], %r7;
  ld.shared.u32 %r8, [%r4];
  st.global.v4.u32 [%d0], {%r0, %r1, %r2, %r3};
  st.global.v4.u32 [%d0+16], {%r4, %r5, %r6, %r8};
  ret;
})";

TEST(ReservedShared, is_apart_from_the_kernels_own) {
  Gpu gpu(make_config("default", {}), {});
  gpu.load("test.ptx", with_header(kKernel));
  const Buffer<uint32_t> out(gpu, 8, "out");
  gpu.launch("k", {{1}, {1}, 64}, Arguments(out.address()));
  const std::vector<uint32_t> got = out.download();
  const uint32_t begin = got[0], end = got[1], first = got[3], second = got[4], own = got[5], dynamic = got[6];
  EXPECT_EQ(end - begin, got[2]);
  EXPECT_GE(first, begin);
  EXPECT_GT(second, first);
  EXPECT_LT(second, end);
  EXPECT_TRUE(own + 40 <= begin || own >= end) << own << " in " << begin << " to " << end;
  EXPECT_GE(dynamic, end);
  EXPECT_EQ(got[7], 77U);
}

}  // namespace
}  // namespace heddle::test
