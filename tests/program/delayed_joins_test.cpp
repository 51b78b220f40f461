// Joins that lie behind what threads may spin for.
#include "program/delayed_joins.h"

#include <gtest/gtest.h>

#include "program/decoded.h"

namespace heddle::test {
namespace {

Pc delayed(const Kernel& kernel, std::string_view branch) { return delayed_joins(kernel)[at(kernel, branch)]; }

const std::string kSpin = R"(
  SPIN:
    atom.global.cas.b32 %r1, [%rd1], 0, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra SPIN;      // back
)";

TEST(DelayedJoins, of_a_spin_loop_is_behind_the_last_release) {
  const auto kernel = kernel_of(kSpin + R"(
    st.volatile.global.u32 [%rd2], %r3;
    atom.global.exch.b32 %r1, [%rd1], 0;
    mov.u32 %r3, %r2;   // join
    st.global.u32 [%rd3], %r3;
    ret;)");
  EXPECT_EQ(delayed(*kernel, "back"), at(*kernel, "join"));
}

TEST(DelayedJoins, stay_where_nothing_is_released_behind) {
  const auto kernel = kernel_of(kSpin + "mov.u32 %r3, %r2;   // exit\nst.global.u32 [%rd3], %r3; ret;");
  EXPECT_EQ(delayed(*kernel, "back"), at(*kernel, "exit"));
}

TEST(DelayedJoins, of_loops_that_wait_for_nobody_stay) {
  const auto kernel = kernel_of(R"(
  LOOP:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, %r2;
    @%p1 bra LOOP;      // back
    mov.u32 %r3, %r1;   // exit
    atom.global.exch.b32 %r1, [%rd1], 0;
    ret;)");
  EXPECT_EQ(delayed(*kernel, "back"), at(*kernel, "exit"));
}

TEST(DelayedJoins, of_branches_around_a_spin_loop_move_with_it) {
  const auto text = [](const char* behind) {
    return "setp.eq.u32 %p2, %r5, 0;\n@%p2 bra OUT;      // if\n" + kSpin +
           "atom.global.exch.b32 %r1, [%rd1], 0;\nmov.u32 %r3, %r2;   // inside\n"
           "OUT:\nadd.u32 %r3, %r3, 1;   // out\n" +
           behind + "add.u32 %r3, %r3, 2;   // end\nret;";
  };
  const auto quiet = kernel_of(text(""));
  EXPECT_EQ(delayed(*quiet, "back"), at(*quiet, "inside"));
  EXPECT_EQ(delayed(*quiet, "if"), at(*quiet, "out"));
  const auto kernel = kernel_of(text("red.global.add.u32 [%rd2], 1;\n"));
  EXPECT_EQ(delayed(*kernel, "back"), at(*kernel, "end"));
  EXPECT_EQ(delayed(*kernel, "if"), at(*kernel, "end"));
}

TEST(DelayedJoins, of_branches_beside_a_spin_loop_stay) {
  const auto kernel = kernel_of(R"(
    @%p2 bra JOIN;      // if
    mov.u32 %r2, 1;
  JOIN:
    mov.u32 %r3, %r2;   // join
)" + kSpin + "atom.global.exch.b32 %r1, [%rd1], 0; ret;");
  EXPECT_EQ(delayed(*kernel, "if"), at(*kernel, "join"));
}

// In the next trip it may be given back, too.
TEST(DelayedJoins, of_a_spin_loop_in_a_loop_are_behind_that) {
  const auto kernel = kernel_of("TRIP:\nadd.u32 %r5, %r5, 1;\n" + kSpin + R"(
    atom.global.exch.b32 %r1, [%rd1], 0;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p2, %r4, 3;
    @%p2 bra TRIP;      // trip
    mov.u32 %r3, %r2;   // behind
    ret;)");
  EXPECT_EQ(delayed(*kernel, "back"), at(*kernel, "behind"));
  EXPECT_EQ(delayed(*kernel, "trip"), at(*kernel, "behind"));
}

TEST(DelayedJoins, take_a_call_for_a_release) {
  const auto kernel = kernel_of(kSpin + R"(
    call give, ();
    mov.u32 %r3, %r2;   // behind
    ret;)",
                                ".func give() { ret; }");
  EXPECT_EQ(delayed(*kernel, "back"), at(*kernel, "behind"));
}

}  // namespace
}  // namespace heddle::test
