// Instructions on matrices in kernels whose threads part and meet: under every mechanism, with a clock and without,
// held against sums computed here. What they compute to the bit is in tests/conformance/tensor_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

// Odd threads go another way before the product. A of block b is a[row][k] = row + k + b, B is b[k][n] = k - n.
constexpr std::string_view kProduct = R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p;
  .reg .b32 %r<16>, %a<2>, %b, %c<4>, %d<4>;
  .reg .b64 %o, %x;
  ld.param.u64 %o, [out];
  mov.u32 %r0, %tid.x;
  and.b32 %r0, %r0, 31;
  shr.u32 %r1, %r0, 2;
  and.b32 %r2, %r0, 3;
  shl.b32 %r2, %r2, 2;
  mov.u32 %r3, %ctaid.x;
  add.u32 %r4, %r1, %r2;
  add.u32 %r4, %r4, %r3;
  mad.lo.u32 %a0, %r4, 0x01010101, 0x03020100;
  add.u32 %r5, %r4, 8;
  mad.lo.u32 %a1, %r5, 0x01010101, 0x03020100;
  sub.u32 %r6, %r2, %r1;
  and.b32 %b, %r6, 255;
  add.u32 %r7, %r6, 1;
  and.b32 %r7, %r7, 255;
  bfi.b32 %b, %r7, %b, 8, 8;
  add.u32 %r7, %r6, 2;
  and.b32 %r7, %r7, 255;
  bfi.b32 %b, %r7, %b, 16, 8;
  add.u32 %r7, %r6, 3;
  bfi.b32 %b, %r7, %b, 24, 8;
  and.b32 %r8, %r0, 1;
  setp.ne.u32 %p, %r8, 0;
  mov.u32 %c0, 7;
  @%p bra ODD;
  mov.u32 %c0, 5;
  bra.uni MEET;
ODD:
  add.u32 %c0, %c0, 2;
MEET:
  mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%d0, %d1, %d2, %d3}, {%a0, %a1}, {%b}, {%c0, %c0, %c0, %c0};
  mov.u32 %r9, %tid.x;
  mov.u32 %r10, %ntid.x;
  mad.lo.u32 %r9, %r3, %r10, %r9;
  mad.wide.u32 %x, %r9, 16, %o;
  st.global.v4.u32 [%x], {%d0, %d1, %d2, %d3};
  ret;
})";

constexpr unsigned kMatrixBlocks = 2, kMatrixThreads = 64;

std::vector<int> expected_products() {
  std::vector<int> all;
  for (unsigned block = 0; block < kMatrixBlocks; ++block)
    for (unsigned thread = 0; thread < kMatrixThreads; ++thread)
      for (unsigned i = 0; i < 4; ++i) {
        const int row = static_cast<int>(thread % 32 / 4 + i / 2 * 8),
                  column = static_cast<int>(thread % 4 * 2 + i % 2);
        int sum = thread % 2 == 0 ? 5 : 9;
        for (int k = 0; k < 16; ++k) sum += (row + k + static_cast<int>(block)) * (k - column);
        all.push_back(sum);
      }
  return all;
}

std::vector<int> products_of(SmallGpu& gpu) {
  const Buffer<int> out(gpu, size_t{kMatrixBlocks} * kMatrixThreads * 4, "out");
  gpu.launch("k", {{kMatrixBlocks}, {kMatrixThreads}}, Arguments(out.address()));
  return out.download();
}

TEST(Matrix, products_are_the_same_under_every_mechanism) {
  for (const MechanismRow& mechanism : mechanisms()) {
    SmallGpu gpu(kProduct, {}, mechanism.name);
    EXPECT_EQ(products_of(gpu), expected_products()) << mechanism.name;
  }
}

TEST(Matrix, products_are_the_same_with_a_clock_as_ptx_and_as_machine_code) {
  for (const char* preset : {"default", "h200", "tbc-hpca11"}) {
    GpuOptions options;
    options.timed = true;
    Gpu gpu(make_config(preset, {}), options);
    gpu.load("test.ptx", with_header(kProduct));
    const Buffer<int> out(gpu, size_t{kMatrixBlocks} * kMatrixThreads * 4, "out");
    gpu.launch("k", {{kMatrixBlocks}, {kMatrixThreads}}, Arguments(out.address()));
    EXPECT_EQ(out.download(), expected_products()) << preset;
  }
}

TEST(Matrix, a_warp_that_is_not_whole_is_a_fault_that_says_so) {
  SmallGpu gpu(kProduct);
  const Buffer<int> out(gpu, 256, "out");
  const std::string text = error_of(ExitCode::Fault, [&] { gpu.launch("k", {{1}, {16}}, Arguments(out.address())); });
  EXPECT_EQ(text.find("mma needs all 32 threads of its warp, and 16 are here\n"), 0U) << text;
}

// The registers of D come in the order of others, or are those of an operand that both halves need.
TEST(Matrix, wmma_refuses_results_that_would_be_read_as_operands) {
  const std::string text = error_of(ExitCode::BadProgram, [] {
    SmallGpu gpu(R"(
.visible .entry k() {
  .reg .b32 %a<8>, %b<8>, %c<4>;
  wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {%a0, %a1, %a2, %a3}, {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7},
    {%b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7}, {%c0, %c1, %c2, %c3};
  ret;
})");
    gpu.launch("k", {{1}, {32}}, Arguments());
  });
  EXPECT_NE(text.find("the result of wmma may be in the registers of C"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::test
