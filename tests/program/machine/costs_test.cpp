// Costs of machine code that no single probe shows: units, chains, meetings, constants.
#include <gtest/gtest.h>

#include "program/machine/cost_table.h"
#include "program/machine/lowered.h"

namespace heddle::test::costs_test {
namespace {

unsigned of(const MachineCost& cost, Unit unit) { return cost.units[static_cast<size_t>(unit)]; }

TEST(Costs, a_sequence_has_its_slots_by_unit_and_waits_for_each_but_the_last) {
  const MachineCost cost = cost_of_sequence("MUFU FFMA IMAD IADD3");
  EXPECT_EQ(cost.slots, 4);
  EXPECT_EQ(of(cost, Unit::Special), 1U);
  EXPECT_EQ(of(cost, Unit::Single), 1U);
  EXPECT_EQ(of(cost, Unit::Multiply), 1U);
  EXPECT_EQ(of(cost, Unit::Integer), 1U);
  EXPECT_EQ(cost.last, Unit::Integer);
  EXPECT_EQ(cost.before, 16 + 3 + 3);  // each latency, less the slot it takes itself
}

TEST(Costs, a_sequence_whose_chain_was_reckoned_is_as_long) {
  const MachineCost cost = cost_of_sequence("MUFU FFMA IMAD IADD3", 30);
  EXPECT_EQ(cost.before + cost.slots - 1 + 4, 30);
  EXPECT_EQ(cost.holds, 0);
}

TEST(Costs, who_branches_inside_lets_its_warp_wait_until_the_end) {
  const MachineCost cost = cost_of_sequence("BSSY MUFU FFMA BRA BSYNC", 57);
  EXPECT_EQ(cost.last, Unit::Single);
  EXPECT_EQ(cost.holds, 57);
  EXPECT_EQ(cost.refetches, 1);
}

TEST(Costs, products_of_twice_the_width_take_their_pipe_twice_as_long) {
  EXPECT_EQ(of(cost_of_sequence("IMAD"), Unit::Multiply), 1U);
  EXPECT_EQ(of(cost_of_sequence("IMAD.WIDE"), Unit::Multiply), 2U);
  EXPECT_EQ(of(cost_of_sequence("IMAD.HI"), Unit::Multiply), 2U);
}

TEST(Costs, halves_of_a_wide_value_go_side_by_side) {
  EXPECT_EQ(cost_of_sequence("LOP3 LOP3").before, 0);
  EXPECT_EQ(cost_of_sequence("IADD3 IADD3").before, 0);
  EXPECT_EQ(cost_of_sequence("ISETP ISETP").before, 3);
}

// Cycles from issue to result on the H200: bench/hardware/h200.csv. The last latency and the slots are the core's.
TEST(Costs, chains_of_sequences_are_as_long_as_measured) {
  const auto cycles = [](std::string_view instruction) {
    const auto kernel = machine_code_of(
        "ld.param.u64 %rd1, [in];\nld.global.f32 %f1, [%rd1]; ld.global.u32 %r1, [%rd1]; ld.global.f64 %d1, [%rd1];\n" +
        std::string(instruction) +
        " // it\nst.global.f32 [%rd1], %f2; st.global.u32 [%rd1], %r2; st.global.f64 [%rd1], %d2;\nret;");
    const MachineCost& cost = kernel->costs[at(*kernel, "it")];
    return cost.before + cost.slots - 1 + 4.0;
  };
  EXPECT_NEAR(cycles("div.rn.f32 %f2, %f1, %f1;"), 57.4, 1);
  EXPECT_NEAR(cycles("sqrt.rn.f32 %f2, %f1;"), 55.5, 1);
  EXPECT_NEAR(cycles("div.rn.f64 %d2, %d1, %d1;"), 124.3, 1);
  EXPECT_NEAR(cycles("sqrt.rn.f64 %d2, %d1;") + 4, 92.3, 3) << "its last is of double precision";
  EXPECT_NEAR(cycles("div.s32 %r2, %r1, %r1;") + 4, 138.8, 3) << "measured with a sum";
  EXPECT_NEAR(cycles("rem.u32 %r2, %r1, %r1;") + 4, 130.3, 4) << "the same";
  EXPECT_NEAR(cycles("mul.hi.u32 %r2, %r1, %r1;"), 9.0, 1);
}

TEST(Costs, every_second_sum_of_a_block_goes_to_the_multiplier) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    ld.global.u32 %r1, [%rd1];
    add.s32 %r2, %r1, 7;          // first
    st.global.u32 [%rd1], %r2;
    add.s32 %r3, %r2, 9;          // second
    st.global.u32 [%rd1+4], %r3;
    ret;)");
  EXPECT_EQ(kernel->costs[at(*kernel, "first")].last, Unit::Integer);
  EXPECT_EQ(kernel->costs[at(*kernel, "second")].last, Unit::Multiply);
}

TEST(Costs, the_upper_half_of_a_wide_sum_goes_to_the_multiplier) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    ld.global.u64 %rd2, [%rd1];
    ld.global.u64 %rd3, [%rd1+8];
    add.s64 %rd4, %rd2, %rd3;     // sum
    st.global.u64 [%rd1], %rd4;
    ret;)");
  EXPECT_EQ(of(kernel->costs[at(*kernel, "sum")], Unit::Integer), 1U);
  EXPECT_EQ(of(kernel->costs[at(*kernel, "sum")], Unit::Multiply), 1U);
}

TEST(Costs, packed_half_precision_takes_two_pipes_in_turn) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    ld.global.u32 %r1, [%rd1];
    fma.rn.f16x2 %r2, %r1, %r1, %r1;   // first
    fma.rn.f16x2 %r3, %r2, %r1, %r1;   // second
    st.global.u32 [%rd1], %r3;
    ret;)");
  EXPECT_EQ(kernel->costs[at(*kernel, "first")].last, Unit::Multiply);
  EXPECT_EQ(kernel->costs[at(*kernel, "second")].last, Unit::Double);
}

TEST(Costs, a_jump_back_takes_a_cycle_more_of_the_port) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    mov.u32 %r2, %tid.x;
  LOOP:
    mul.lo.s32 %r2, %r2, %r2;
    setp.lt.s32 %p1, %r2, 1000;
    @%p1 bra LOOP;                     // back
    setp.lt.s32 %p2, %r2, 2000;
    @%p2 bra END;                      // ahead
    atom.global.add.u32 %r3, [%rd1], %r2;
  END:
    ret;)");
  EXPECT_EQ(kernel->costs[at(*kernel, "back")].refetches, 1);
  EXPECT_EQ(kernel->costs[at(*kernel, "ahead")].refetches, 0);
}

TEST(Costs, a_unit_is_known_by_the_opcode) {
  EXPECT_EQ(cost_of_sequence("LDG").last, Unit::Memory);
  EXPECT_EQ(cost_of_sequence("DFMA").last, Unit::Double);
  EXPECT_EQ(cost_of_sequence("BRA").last, Unit::Control);
  EXPECT_EQ(cost_of_sequence("ISETP").last, Unit::Integer);
}

constexpr std::string_view kMeeting = R"(
    ld.param.u64 %rd1, [in];
    ld.global.u32 %r1, [%rd1];
    setp.eq.s32 %p1, %r1, 0;
    @%p1 bra JOIN;                     // branch
    atom.global.add.u32 %r2, [%rd1], %r1;
  JOIN:
    st.global.u32 [%rd1], %r1;         // meeting
    ret;)";

TEST(Costs, threads_that_may_part_are_told_where_to_meet) {
  const auto kernel = machine_code_of(kMeeting);
  EXPECT_EQ(slots(*kernel, "branch"), 2U);
  EXPECT_EQ(of(kernel->costs[at(*kernel, "branch")], Unit::Control), 2U);
  EXPECT_EQ(of(kernel->costs[at(*kernel, "meeting")], Unit::Control), 1U);
  EXPECT_EQ(kernel->costs[at(*kernel, "meeting")].holds, 13);
  EXPECT_EQ(kernel->costs[at(*kernel, "branch")].holds, 0);
}

TEST(Costs, who_has_only_to_exit_meets_nobody) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    ld.global.u32 %r1, [%rd1];
    setp.eq.s32 %p1, %r1, 0;
    @%p1 bra END;                      // branch
    atom.global.add.u32 %r2, [%rd1], %r1;
  END:
    ret;                               // end
  )");
  EXPECT_EQ(slots(*kernel, "branch"), 1U);
  EXPECT_EQ(slots(*kernel, "end"), 1U);
}

TEST(Costs, a_branch_that_all_threads_take_together_needs_no_meeting) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    ld.param.u32 %r1, [number];
    setp.eq.s32 %p1, %r1, 0;
    @%p1 bra JOIN;                     // branch
    atom.global.add.u32 %r2, [%rd1], 1;
  JOIN:
    st.global.u32 [%rd1], %r1;
    ret;)");
  EXPECT_EQ(slots(*kernel, "branch"), 1U);
}

constexpr std::string_view kParameter = R"(
    ld.param.u64 %rd1, [in];
    ld.param.u32 %r1, [number];
    ld.global.u32 %r2, [%rd1];
    setp.eq.s32 %p1, %r2, 0;
    @%p1 bra JOIN;
    atom.global.add.u32 %r3, [%rd1], %r2;
    add.s32 %r2, %r3, %r1;             // here
  JOIN:
    mul.lo.s32 %r4, %r2, %r1;          // and here
    st.global.u32 [%rd1], %r4;
    ret;)";

TEST(Costs, a_parameter_is_read_in_each_block_that_uses_it_or_is_an_operand) {
  const auto reads = machine_code_of(kParameter);
  EXPECT_EQ(of(reads->costs[at(*reads, "here")], Unit::Memory), 1U);
  EXPECT_EQ(of(reads->costs[at(*reads, "and here")], Unit::Memory), 1U);
  CodeOptions options;
  options.target = "sm_80";
  const auto operand = machine_code_of(kParameter, options);
  EXPECT_EQ(slots(*operand, "here"), 1U);
  EXPECT_EQ(of(operand->costs[at(*operand, "and here")], Unit::Memory), 0U);
}

TEST(Costs, what_a_loop_needs_in_every_trip_is_read_before_it) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    ld.param.u32 %r1, [number];
    mov.u32 %r2, %tid.x;
  LOOP:
    mul.lo.s32 %r2, %r2, %r1;          // trip
    setp.lt.s32 %p1, %r2, 1000;
    @%p1 bra LOOP;
    st.global.u32 [%rd1], %r2;
    ret;)");
  EXPECT_EQ(slots(*kernel, "trip"), 1U);
}

TEST(Costs, what_nobody_reads_is_not_there) {
  const auto kernel = machine_code_of("mov.u32 %r1, %tid.x;\nmul.lo.s32 %r2, %r1, %r1; // dead\nret;");
  EXPECT_EQ(slots(*kernel, "dead"), 0U);
}

}  // namespace
}  // namespace heddle::test::costs_test
