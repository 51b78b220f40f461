// When a result may be read, beyond its unit's latency: by whom it is read first. The numbers are those of
// program/machine/handovers.h; sums of two of them were measured on an H200, as named.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/machine/lowered.h"

namespace heddle::test::handovers_test {
namespace {

// What `text` makes of the values of a thread, stored; the instruction named in it is asked.
int after(std::string_view text, std::string_view name = "it") {
  const auto kernel = machine_code_of(
      "ld.param.u64 %rd1, [in];\nld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+4]; ld.global.f32 %f1, [%rd1];\n"
      "ld.global.f64 %d1, [%rd1+8]; ld.global.u64 %rd2, [%rd1+16]; ld.global.u64 %rd3, [%rd1+24];\n" +
      std::string(text) + "\nret;");
  return kernel->costs[at(*kernel, std::string(name))].after;
}

TEST(Handovers, between_the_integer_and_the_multiply_add_pipe_there_is_a_cycle) {
  EXPECT_EQ(after("xor.b32 %r3, %r1, %r2; // it\nmul.lo.s32 %r4, %r3, %r2; st.global.u32 [%rd1], %r4;"), 1);
  EXPECT_EQ(after("mul.lo.s32 %r3, %r1, %r2; // it\nxor.b32 %r4, %r3, %r2; st.global.u32 [%rd1], %r4;"), 1);
  EXPECT_EQ(after("xor.b32 %r3, %r1, %r2; // it\nshl.b32 %r4, %r3, %r2; st.global.u32 [%rd1], %r4;"), 0);
  EXPECT_EQ(after("mul.rn.f32 %f2, %f1, %f1; // it\nadd.rn.f32 %f3, %f2, %f1; st.global.f32 [%rd1], %f3;"), 0);
}

TEST(Handovers, to_memory_there_is_a_cycle) {
  EXPECT_EQ(after("xor.b32 %r3, %r1, %r2; // it\nst.global.u32 [%rd1], %r3;"), 1);
}

TEST(Handovers, double_precision_is_two_cycles_from_the_others) {
  EXPECT_EQ(after("add.rn.f64 %d2, %d1, %d1; // it\nmul.rn.f64 %d3, %d2, %d1; st.global.f64 [%rd1], %d3;"), 0);
  EXPECT_EQ(after("add.rn.f64 %d2, %d1, %d1; // it\nst.global.f64 [%rd1], %d2;"), 2);
}

TEST(Handovers, a_predicate_is_read_later_as_a_guard_than_as_an_operand) {
  EXPECT_EQ(after("setp.lt.s32 %p1, %r1, %r2; // it\nselp.b32 %r3, %r1, %r2, %p1; st.global.u32 [%rd1], %r3;"), 0);
  EXPECT_EQ(after("setp.lt.s32 %p1, %r1, %r2; // it\n@%p1 st.global.u32 [%rd1], %r1;"), 9);
  EXPECT_EQ(after("setp.lt.s32 %p1, %r1, %r2; // it\nvote.sync.ballot.b32 %r3, %p1, -1; st.global.u32 [%rd1], %r3;"),
            9);
}

// rcp and add: 17 + 6 cycles (latency.rcp.f32: 23.1).
TEST(Handovers, an_instruction_between_two_special_functions_is_given_two_cycles) {
  EXPECT_EQ(after("rcp.approx.ftz.f32 %f2, %f1;\nadd.rn.f32 %f3, %f2, %f1; // it\n"
                  "ex2.approx.ftz.f32 %f4, %f3; st.global.f32 [%rd1], %f4;"),
            2);
  EXPECT_EQ(after("add.rn.f32 %f3, %f1, %f1; // it\nex2.approx.ftz.f32 %f4, %f3; st.global.f32 [%rd1], %f4;"), 0);
}

// A trip of a loop takes 6 + 13 + 10 cycles (branch.trip: 29.0).
TEST(Handovers, a_count_of_all_threads_is_read_two_cycles_later) {
  const auto loop = [](std::string_view least) {
    return fmt::format(
        "ld.param.u32 %r5, [number]; mov.u32 %r4, {};\nLOOP:\nadd.s32 %r4, %r4, 1; // it\nst.global.u32 [%rd1], %r1;\n"
        "setp.lt.s32 %p1, %r4, %r5;\n@%p1 bra LOOP;",
        least);
  };
  EXPECT_EQ(after(loop("0")), 2);
  EXPECT_EQ(after(loop("%tid.x")), 0);
}

// A chain of 64-bit sums takes 4 cycles each (latency.add.s64: 4.14): of the two slots of a sum, the next follows the
// first.
TEST(Handovers, the_lower_half_of_a_sum_leads) {
  EXPECT_EQ(after("add.s64 %rd4, %rd2, %rd3; // it\nadd.s64 %rd5, %rd4, %rd2; st.global.u64 [%rd1], %rd5;\n"
                  "st.global.u64 [%rd1+8], %rd4;"),
            -1);
  EXPECT_EQ(after("add.s64 %rd4, %rd2, %rd3; // it\nld.global.u32 %r3, [%rd4]; st.global.u32 [%rd1], %r3;"), 4 + 1)
      << "the upper half waits for the carry, and memory for that";
}

}  // namespace
}  // namespace heddle::test::handovers_test
