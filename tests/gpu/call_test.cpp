// Functions as compilers of other times wrote them: parameters and results in registers, 32-bit addresses of the frame.
#include <gtest/gtest.h>

#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

// What 32 threads of kernel k(out) leave in out.
std::vector<uint32_t> results_of(std::string_view ptx) {
  SmallGpu gpu(ptx);
  const Address out = gpu.allocate(32 * 4, "out");
  gpu.launch("k", {{1}, {32}}, Arguments(out));
  std::vector<uint32_t> results(32);
  gpu.read(results.data(), out, 32 * 4);
  return results;
}

std::string kernel(std::string_view functions, std::string_view body) {
  return std::string(functions) + R"(
    .visible .entry k(.param .u64 out) {
      .reg .b32 %r<8>;
      .reg .b64 %rd<4>;
      .reg .pred %p;
      ld.param.u64 %rd1, [out];
      mov.u32 %r1, %tid.x;
      mul.wide.u32 %rd2, %r1, 4;
      add.u64 %rd1, %rd1, %rd2;)" +
         std::string(body) + R"(
      st.global.u32 [%rd1], %r2;
      ret;
    })";
}

TEST(Calls, take_parameters_and_give_results_in_registers) {
  const auto results = results_of(kernel(R"(
    .func (.reg .u32 %sum, .reg .u64 %wide) both (.reg .u32 %a, .reg .u64 %b) {
      .reg .u32 %t;
      cvt.u32.u64 %t, %b;
      add.u32 %sum, %a, %t;
      mul.wide.u32 %wide, %sum, 2;
      ret;
    })",
                                         R"(
      cvt.u64.u32 %rd2, %r1;
      call (%r3, %rd3), both, (100, %rd2);
      cvt.u32.u64 %r4, %rd3;
      add.u32 %r2, %r3, %r4;)"));
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(results[i], 3 * (100 + i)) << i;
}

// The result of a function that returns early, by a guard, or at its end, without `ret`.
TEST(Calls, give_results_in_registers_wherever_the_function_returns) {
  const auto results = results_of(kernel(R"(
    .func (.reg .u32 %d) odd (.reg .u32 %a) {
      .reg .pred %q;
      .reg .u32 %t;
      mov.u32 %d, 1;
      and.b32 %t, %a, 1;
      setp.eq.u32 %q, %t, 1;
      @%q ret;
      mov.u32 %d, 2;
      setp.gt.u32 %q, %a, 16;
      @%q mov.u32 %d, 3;
      @%q ret;
    })",
                                         "call.uni (%r2), odd, (%r1);"));
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(results[i], i % 2 == 1 ? 1U : i > 16 ? 3U : 2U) << i;
}

TEST(Calls, with_parameters_in_registers_may_recur) {
  const auto results = results_of(kernel(R"(
    .func (.reg .u32 %d) sum (.reg .u32 %n) {
      .reg .pred %q;
      .reg .u32 %t;
      mov.u32 %d, 0;
      setp.eq.u32 %q, %n, 0;
      @%q ret;
      sub.u32 %t, %n, 1;
      call (%t), sum, (%t);
      add.u32 %d, %t, %n;
      ret;
    })",
                                         "call (%r2), sum, (%r1);"));
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(results[i], i * (i + 1) / 2) << i;
}

TEST(Calls, of_a_prototype_in_registers_find_their_function) {
  const auto results = results_of(kernel(R"(
    .func (.reg .u32 %d) next (.reg .u32 %a) { add.u32 %d, %a, 1; ret; })",
                                         R"(
      mov.u64 %rd2, next;
      shape: .callprototype (.reg .u32 _) _ (.reg .u32 _);
      call (%r2), %rd2, (%r1), shape;)"));
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(results[i], i + 1) << i;
}

TEST(Calls, with_predicates_or_vectors_in_registers_are_refused) {
  for (const char* parameter : {".reg .pred %a", ".reg .v2 .u32 %a"})
    EXPECT_NE(
        error_of(ExitCode::BadProgram,
                 [&] { results_of(kernel(".func f (" + std::string(parameter) + ") { ret; }", "call f, (%r1);")); })
            .find("declare it .param"),
        std::string::npos)
        << parameter;
}

// Compilers of 2009 had registers of the module, in which calls hand values over.
TEST(Calls, hand_values_over_in_registers_of_the_module) {
  const auto results = results_of(kernel(R"(
    .reg .u32 %ra<3>;
    .reg .u32 %rv1;
    .func product
    .func product {
      mul.lo.u32 %rv1, %ra1, %ra2;
      ret;
    })",
                                         R"(
      mov.u32 %ra1, %r1;
      mov.u32 %ra2, 7;
      call product;
      mov.u32 %r2, %rv1;)"));
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(results[i], 7 * i) << i;
}

// The address of a variable in the frame, in 32 bits: the first of them, one behind it, and one with an offset.
TEST(Frames, have_addresses_of_32_bits) {
  const auto results = results_of(kernel("", R"(
      .local .align 8 .b8 __local_depot0[16];
      .local .align 4 .b32 second[2];
      mov.u32 %r3, __local_depot0;
      st.local.u32 [%r3+4], %r1;
      mov.u32 %r4, second;
      st.local.u32 [%r4], 7;
      mov.b32 %r5, second+4;
      st.local.u32 [%r5], 9;
      ld.local.u32 %r2, [__local_depot0+4];
      ld.local.u32 %r6, [second];
      ld.local.u32 %r7, [second+4];
      mad.lo.u32 %r2, %r2, 100, %r6;
      mad.lo.u32 %r2, %r2, 100, %r7;)"));
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(results[i], i * 10000 + 709) << i;
}

}  // namespace
}  // namespace heddle::test
