// Registers of a thread on examples counted by hand: those that hold a value at the fullest place, and the stack
// pointer.
#include <gtest/gtest.h>

#include "program/decoded.h"

namespace heddle::test {
namespace {

constexpr unsigned kStackPointer = 1;

// The body of a kernel whose %rd1 is its parameter.
unsigned registers_of(std::string_view body) {
  return kernel_of("ld.param.u64 %rd1, [in];\n" + std::string(body) + "\nret;")->registers - kStackPointer;
}

TEST(RegisterEstimate, counts_what_holds_a_value_at_the_fullest_place) {
  EXPECT_EQ(registers_of(R"(
    ld.global.u32 %r1, [%rd1];        // r1
    ld.global.u32 %r2, [%rd1+4];      // r1 r2
    add.u32 %r3, %r1, %r2;            // r3
    st.global.u32 [%rd1], %r3;)"),
            2U);
}

TEST(RegisterEstimate, a_value_of_64_bits_takes_two) {
  EXPECT_EQ(registers_of(R"(
    ld.global.u64 %rd2, [%rd1];
    ld.global.u32 %r1, [%rd1+8];      // rd2 r1: 3
    st.global.u64 [%rd1], %rd2;
    st.global.u32 [%rd1], %r1;)"),
            3U);
}

TEST(RegisterEstimate, a_register_that_is_dead_in_between_does_not_count) {
  EXPECT_EQ(registers_of(R"(
    ld.global.u32 %r1, [%rd1];
    st.global.u32 [%rd1+4], %r1;      // r1 dies
    ld.global.u32 %r2, [%rd1];
    st.global.u32 [%rd1+8], %r2;)"),
            1U);
}

TEST(RegisterEstimate, values_that_live_around_a_loop_count_inside_it) {
  EXPECT_EQ(registers_of(R"(
    ld.global.u32 %r9, [%rd1];        // lives until the end
    mov.u32 %r1, 0;
  LOOP:
    add.u32 %r1, %r1, 1;              // r9 r1
    setp.lt.u32 %p1, %r1, 10;         // predicates are kept elsewhere
    @%p1 bra LOOP;
    st.global.u32 [%rd1], %r9;)"),
            2U);
}

TEST(RegisterEstimate, a_guarded_write_keeps_the_old_value_alive) {
  const auto with = [](const std::string& guard) {
    return registers_of(R"(
    ld.global.u32 %r1, [%rd1];
    st.global.u32 [%rd1+4], %r1;
    ld.global.u32 %r2, [%rd1+8];      // r2, and r1 where it may be wanted
    )" + guard + R"( add.u32 %r1, %r2, 1;
    st.global.u32 [%rd1], %r1;)");
  };
  EXPECT_EQ(with(""), 1U);
  EXPECT_EQ(with("@%p1"), 2U);
}

TEST(RegisterEstimate, parameters_constants_and_places_in_the_grid_are_operands) {
  EXPECT_EQ(registers_of(R"(
    mov.u32 %r1, %tid.x;              // r1
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, 7;
    cvta.to.global.u64 %rd2, %rd1;
    mad.lo.u32 %r5, %r2, %r3, %r1;    // r5
    add.u32 %r6, %r5, %r4;            // r6
    st.global.u32 [%rd2], %r6;)"),
            1U);
}

TEST(RegisterEstimate, copies_and_widened_values_are_other_names) {
  EXPECT_EQ(registers_of(R"(
    ld.global.u32 %r1, [%rd1];
    mov.u32 %r2, %r1;
    cvt.u64.u32 %rd2, %r1;            // its upper half is zero
    st.global.u32 [%rd1], %r2;
    st.global.u64 [%rd1], %rd2;
    st.global.u32 [%rd1], %r1;)"),
            1U);
  EXPECT_EQ(registers_of(R"(
    ld.global.u32 %r1, [%rd1];
    cvt.s64.s32 %rd2, %r1;            // its upper half is not: r1 rd2
    st.global.u64 [%rd1], %rd2;
    st.global.u32 [%rd1], %r1;)"),
            3U);
}

TEST(RegisterEstimate, names_that_go_in_a_circle_come_to_an_end) {
  EXPECT_LE(registers_of("LOOP: mov.u32 %r1, %r2; mov.u32 %r2, %r1; @%p1 bra LOOP; st.global.u32 [%rd1], %r1;"), 2U);
}

TEST(RegisterEstimate, loads_are_issued_early_and_their_values_wait) {
  EXPECT_EQ(registers_of(R"(
    ld.global.u32 %r1, [%rd1];
    ld.global.u32 %r2, [%rd1+4];
    add.u32 %r3, %r1, %r2;
    ld.global.u32 %r4, [%rd1+8];
    add.u32 %r5, %r3, %r4;
    ld.global.u32 %r6, [%rd1+12];     // goes up: r1 r2 r4 r6
    add.u32 %r7, %r5, %r6;
    st.global.u32 [%rd1], %r7;)"),
            4U);
}

TEST(RegisterEstimate, loads_do_not_pass_stores) {
  EXPECT_EQ(registers_of(R"(
    ld.global.u32 %r1, [%rd1];
    ld.global.u32 %r2, [%rd1+4];
    add.u32 %r3, %r1, %r2;
    st.global.u32 [%rd1+64], %r3;
    ld.global.u32 %r4, [%rd1+8];
    add.u32 %r5, %r3, %r4;
    ld.global.u32 %r6, [%rd1+12];     // behind the store: r3 r4 r6
    add.u32 %r7, %r5, %r6;
    st.global.u32 [%rd1], %r7;)"),
            3U);
}

TEST(RegisterEstimate, an_exact_division_is_a_sequence_that_takes_some) {
  const auto with = [](std::string_view division) {
    return registers_of("ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4];\n" + std::string(division) +
                        " %f3, %f1, %f2; st.global.f32 [%rd1], %f3;");
  };
  EXPECT_EQ(with("div.approx.f32"), 2U);
  EXPECT_GT(with("div.rn.f32"), 5U);
}

TEST(RegisterEstimate, a_kernel_that_calls_has_those_of_the_calling_convention) {
  const auto kernel = kernel_of("call.uni f; ret;", ".func f() { .reg .b32 %x; st.local.u32 [0], 1; ret; }");
  EXPECT_EQ(kernel->registers, 24U);
}

}  // namespace
}  // namespace heddle::test
