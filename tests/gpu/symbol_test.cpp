// Module variables: their initialisers, and what the host sees of them.
#include <gtest/gtest.h>

#include <bit>

#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

template <class T>
T value_at(Gpu& gpu, std::string_view name, size_t index = 0) {
  T value;
  gpu.read(&value, gpu.symbol(name) + index * sizeof(T), sizeof(T));
  return value;
}

TEST(Symbols, have_their_initial_values_and_zero_behind_them) {
  SmallGpu gpu(R"(
    .global .b32 one = 7;
    .const .align 4 .b8 bytes[6] = {1, 2, 0xff};
    .global .f32 fraction = 1.5;
    .global .f32 exact = 0f40490FDB;
    .global .f64 wide = 0.1;
    .global .s16 negative[2] = {-1, -2};
    .global .b32 matrix[2][3] = {{1, 2}, {4, 5, 6}};
    .visible .entry k() { ret; })");
  EXPECT_EQ(value_at<uint32_t>(gpu, "one"), 7U);
  EXPECT_EQ(value_at<uint8_t>(gpu, "bytes", 2), 0xffU);
  EXPECT_EQ(value_at<uint8_t>(gpu, "bytes", 3), 0U);
  EXPECT_EQ(value_at<float>(gpu, "fraction"), 1.5f);
  EXPECT_EQ(value_at<uint32_t>(gpu, "exact"), 0x40490fdbU);
  EXPECT_EQ(value_at<double>(gpu, "wide"), 0.1);
  EXPECT_EQ(value_at<int16_t>(gpu, "negative", 1), -2);
  const uint32_t expected[] = {1, 2, 0, 4, 5, 6};
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(value_at<uint32_t>(gpu, "matrix", i), expected[i]) << i;
}

TEST(Symbols, can_be_initialised_with_addresses_of_others_also_later_ones) {
  SmallGpu gpu(R"(
    .global .u64 forward = later;
    .global .b32 later[4] = {10, 11, 12, 13};
    .global .u64 into[2] = {later+8, generic(later)+4};
    .visible .entry k() { ret; })");
  EXPECT_EQ(value_at<uint64_t>(gpu, "forward"), gpu.symbol("later"));
  EXPECT_EQ(value_at<uint64_t>(gpu, "into", 0), gpu.symbol("later") + 8);
  EXPECT_EQ(value_at<uint64_t>(gpu, "into", 1), gpu.symbol("later") + 4);
}

constexpr std::string_view kTable = R"(
.func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %x; ld.param.b32 %x, [x]; shl.b32 %x, %x, 1; st.param.b32 [r], %x; ret; }
.func (.param .b32 r) square(.param .b32 x) { .reg .b32 %x; ld.param.b32 %x, [x]; mul.lo.u32 %x, %x, %x; st.param.b32 [r], %x; ret; }
.global .align 8 .u64 table[2] = {twice, square};
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  mul.wide.u32 %rd2, %r2, 8;
  mov.u64 %rd3, table;
  add.u64 %rd3, %rd3, %rd2;
  ld.global.u64 %rd4, [%rd3];
  {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], %r1;
    P: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (b), %rd4, (a), P;
    ld.param.b32 %r3, [b];
  }
  mul.wide.u32 %rd5, %r1, 4;
  add.u64 %rd1, %rd1, %rd5;
  st.global.u32 [%rd1], %r3;
  ret;
})";

TEST(Symbols, can_hold_pointers_to_functions_that_kernels_call) {
  SmallGpu gpu(kTable);
  Buffer<uint32_t> out(gpu, 40, "out");
  gpu.launch("k", {{1}, {40}}, Arguments(out.address()));
  const auto values = out.download();
  for (uint32_t i = 0; i < 40; ++i) EXPECT_EQ(values[i], i % 2 ? i * i : 2 * i) << i;
}

TEST(Symbols, written_by_the_host_are_read_by_the_next_kernel) {
  SmallGpu gpu(R"(
    .const .b32 factor = 3;
    .visible .entry k(.param .u64 out) {
      .reg .b32 %r; .reg .b64 %rd;
      ld.const.u32 %r, [factor];
      ld.param.u64 %rd, [out];
      st.global.u32 [%rd], %r;
      ret; })");
  Buffer<uint32_t> out(gpu, 1, "out");
  gpu.launch("k", {{1}, {1}}, Arguments(out.address()));
  EXPECT_EQ(out.download()[0], 3U);
  const uint32_t other = 5;
  gpu.write(gpu.symbol("factor"), &other, 4);
  gpu.launch("k", {{1}, {1}}, Arguments(out.address()));
  EXPECT_EQ(out.download()[0], 5U);
}

TEST(Symbols, that_do_not_exist_are_named) {
  SmallGpu gpu(".visible .entry k() { ret; }");
  EXPECT_NE(error_of(ExitCode::BadProgram, [&] { gpu.symbol("nothing"); }).find("'nothing'"), std::string::npos);
}

}  // namespace
}  // namespace heddle::test
