// What recursive calls save.
#include <gtest/gtest.h>

#include "program/decoded.h"

namespace heddle::test {
namespace {

constexpr std::string_view kFactorial = R"(
  .func (.param .b32 result) factorial(.param .b32 n) {
    .reg .pred %p;
    .reg .b32 %r<6>;
    ld.param.u32 %r1, [n];            // argument
    setp.eq.u32 %p, %r1, 0;
    mov.u32 %r2, 1;
    @%p bra DONE;
    sub.u32 %r3, %r1, 1;
    {
      .param .b32 a;
      .param .b32 b;
      st.param.b32 [a], %r3;
      call.uni (b), factorial, (a);   // recursive call
      ld.param.b32 %r4, [b];
    }
    mul.lo.u32 %r2, %r1, %r4;
  DONE:
    st.param.b32 [result], %r2;
    ret;
  })";

constexpr std::string_view kCallsFactorial = R"(
    mov.u32 %r5, 77;
    {
      .param .b32 a;
      .param .b32 b;
      st.param.b32 [a], 4;
      call.uni (b), factorial, (a);   // first call
      ld.param.b32 %r1, [b];
    }
    add.u32 %r1, %r1, %r5;
    ld.param.u64 %rd1, [in];
    st.global.u32 [%rd1], %r1;
    ret;)";

TEST(SavedRegisters, of_a_recursive_call_are_those_that_are_read_afterwards) {
  const auto kernel = kernel_of(kCallsFactorial, kFactorial);
  ASSERT_TRUE(kernel->recursive);
  ASSERT_TRUE(kernel->functions[1].recursive);
  const CallSite& site = kernel->calls[kernel->code[at(*kernel, "recursive call")].table];
  ASSERT_EQ(site.saved.size(), 1U);
  EXPECT_EQ(site.saved[0], kernel->code[at(*kernel, "argument")].dst[0]);
}

TEST(SavedRegisters, of_a_call_outside_the_cycle_are_none) {
  const auto kernel = kernel_of(kCallsFactorial, kFactorial);
  EXPECT_FALSE(kernel->functions[0].recursive);
  EXPECT_TRUE(kernel->calls[kernel->code[at(*kernel, "first call")].table].saved.empty());
}

TEST(SavedRegisters, mutual_recursion_is_recursion) {
  const auto kernel = kernel_of("call.uni even; ret;", R"(
  .func odd();
  .func even() {
    .reg .b32 %x;
    mov.u32 %x, 1;
    call.uni odd;                     // to odd
    st.local.u32 [0], %x;
    ret;
  }
  .func odd() { .reg .pred %q; @%q call.uni even; ret; }
  .func leaf() { ret; })");
  for (const FunctionRange& function : kernel->functions)
    EXPECT_EQ(function.recursive, function.name != "k") << function.name;
  EXPECT_EQ(kernel->calls[kernel->code[at(*kernel, "to odd")].table].saved.size(), 1U);
}

TEST(Recursion, is_assumed_where_an_indirect_call_can_come_back) {
  const auto kernel = kernel_of(R"(
    mov.u64 %rd1, f;
    P: .callprototype _ ();
    call %rd1, (), P;
    ret;)",
                                R"(
  .func f() {
    .reg .b64 %x;
    mov.u64 %x, f;
    P: .callprototype _ ();
    call %x, (), P;
    ret;
  })");
  EXPECT_TRUE(kernel->recursive);
  EXPECT_TRUE(kernel->has_indirect);
}

}  // namespace
}  // namespace heddle::test
