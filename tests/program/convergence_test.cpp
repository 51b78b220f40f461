// Reconvergence points and likely-convergence points.
#include <gtest/gtest.h>

#include "program/decoded.h"

namespace heddle::test {
namespace {

Pc reconvergence(const Kernel& kernel, std::string_view branch) { return kernel.reconvergence[at(kernel, branch)]; }
Pc likely(const Kernel& kernel, std::string_view branch) { return kernel.likely_convergence[at(kernel, branch)]; }

TEST(Reconvergence, of_an_if_is_behind_it) {
  const auto kernel = kernel_of(R"(
    @%p1 bra JOIN;      // if
    mov.u32 %r2, 1;
  JOIN:
    mov.u32 %r3, %r2;   // join
    ret;)");
  EXPECT_EQ(reconvergence(*kernel, "if"), at(*kernel, "join"));
}

TEST(Reconvergence, of_an_if_else_is_where_both_sides_meet) {
  const auto kernel = kernel_of(R"(
    @%p1 bra ELSE;      // if
    mov.u32 %r2, 1;
    bra JOIN;           // jump
  ELSE:
    mov.u32 %r2, 2;
  JOIN:
    mov.u32 %r3, %r2;   // join
    ret;)");
  EXPECT_EQ(reconvergence(*kernel, "if"), at(*kernel, "join"));
  EXPECT_EQ(reconvergence(*kernel, "jump"), kNoPc);  // nobody diverges there
}

TEST(Reconvergence, of_a_loop_is_its_exit) {
  const auto kernel = kernel_of(R"(
  LOOP:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, %r2;
    @%p1 bra LOOP;      // back
    mov.u32 %r3, %r1;   // exit
    ret;)");
  EXPECT_EQ(reconvergence(*kernel, "back"), at(*kernel, "exit"));
}

TEST(Reconvergence, of_nested_ifs_is_the_nearest_join) {
  const auto kernel = kernel_of(R"(
    @%p1 bra OUTER;     // outer if
    @%p2 bra INNER;     // inner if
    mov.u32 %r2, 1;
  INNER:
    mov.u32 %r3, 1;     // inner join
  OUTER:
    mov.u32 %r4, 1;     // outer join
    ret;)");
  EXPECT_EQ(reconvergence(*kernel, "inner if"), at(*kernel, "inner join"));
  EXPECT_EQ(reconvergence(*kernel, "outer if"), at(*kernel, "outer join"));
}

// if (a && b) X; threads diverge at both tests until behind X, the second tests X itself.
TEST(Reconvergence, of_a_short_circuit_is_behind_the_whole_condition) {
  const auto kernel = kernel_of(R"(
    @!%p1 bra JOIN;     // first test
    @!%p2 bra JOIN;     // second test
    mov.u32 %r2, 1;
  JOIN:
    mov.u32 %r3, 1;     // join
    ret;)");
  EXPECT_EQ(reconvergence(*kernel, "first test"), at(*kernel, "join"));
  EXPECT_EQ(reconvergence(*kernel, "second test"), at(*kernel, "join"));
}

// Unstructured: both sides of the second test are entered from elsewhere, too.
TEST(Reconvergence, of_interlocked_branches_is_where_all_paths_meet) {
  const auto kernel = kernel_of(R"(
    @%p1 bra X;         // first test
    @%p2 bra Y;         // second test
  X:
    mov.u32 %r2, 1;     // x
  Y:
    mov.u32 %r3, 1;     // y
    ret;)");
  EXPECT_EQ(reconvergence(*kernel, "first test"), at(*kernel, "y"));
  EXPECT_EQ(reconvergence(*kernel, "second test"), at(*kernel, "y"));
}

TEST(Reconvergence, with_an_early_return_is_the_functions_end) {
  const auto kernel = kernel_of(R"(
    @%p1 bra REST;      // if
    ret;
  REST:
    mov.u32 %r2, 1;
    ret;)");
  EXPECT_EQ(reconvergence(*kernel, "if"), kNoPc);
}

TEST(Reconvergence, of_a_predicated_return_is_the_functions_end) {
  const auto kernel = kernel_of(R"(
    @%p1 ret;           // maybe
    mov.u32 %r2, 1;
    ret;)");
  EXPECT_EQ(kernel->code[at(*kernel, "maybe")].op, Op::Bra);
  EXPECT_EQ(reconvergence(*kernel, "maybe"), kNoPc);
}

TEST(Reconvergence, of_a_table_branch_is_where_all_cases_meet) {
  const auto kernel = kernel_of(R"(
    T: .branchtargets ONE, TWO, DONE;
    brx.idx %r1, T;     // switch
  ONE:
    mov.u32 %r2, 1;
    bra DONE;
  TWO:
    mov.u32 %r2, 2;
  DONE:
    mov.u32 %r3, 1;     // join
    ret;)");
  EXPECT_EQ(reconvergence(*kernel, "switch"), at(*kernel, "join"));
}

TEST(Reconvergence, of_a_loop_that_never_ends_is_nowhere) {
  const auto kernel = kernel_of(R"(
  LOOP:
    @%p1 bra OTHER;     // if
    bra LOOP;
  OTHER:
    bra LOOP;)");
  EXPECT_EQ(reconvergence(*kernel, "if"), kNoPc);
}

// Example 2, figure 10 of Thread Block Compaction (HPCA 2011).
constexpr std::string_view kFigure10 = R"(
  A:
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra C;         // A
    mov.u32 %r2, 1;     // B
    bra E;
  C:
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra E;         // C
    mov.u32 %r3, 1;     // D
    bra F;
  E:
    add.u32 %r1, %r1, 1;  // E
    setp.lt.u32 %p3, %r1, %r4;
    @%p3 bra A;         // latch
  F:
    mov.u32 %r5, 1;     // F
    ret;)";

TEST(LikelyConvergence, of_a_branch_before_a_rare_break_is_the_loops_latch) {
  const auto kernel = kernel_of(kFigure10);
  EXPECT_EQ(reconvergence(*kernel, "A"), at(*kernel, "F"));
  EXPECT_EQ(likely(*kernel, "A"), at(*kernel, "E"));
}

TEST(LikelyConvergence, is_none_for_the_break_itself_and_for_the_back_edge) {
  const auto kernel = kernel_of(kFigure10);
  EXPECT_EQ(reconvergence(*kernel, "C"), at(*kernel, "F"));
  EXPECT_EQ(likely(*kernel, "C"), kNoPc);
  EXPECT_EQ(reconvergence(*kernel, "latch"), at(*kernel, "F"));
  EXPECT_EQ(likely(*kernel, "latch"), kNoPc);
}

TEST(LikelyConvergence, is_none_where_the_reconvergence_point_lies_in_the_loop) {
  const auto kernel = kernel_of(R"(
  LOOP:
    @%p1 bra JOIN;      // if
    mov.u32 %r2, 1;
  JOIN:
    add.u32 %r1, %r1, 1;  // join
    setp.lt.u32 %p2, %r1, 10;
    @%p2 bra LOOP;
    ret;)");
  EXPECT_EQ(reconvergence(*kernel, "if"), at(*kernel, "join"));
  EXPECT_EQ(likely(*kernel, "if"), kNoPc);
}

// `continue` and the loop's end: the first is the closest to A in the text, and both sides of A may come to it.
TEST(LikelyConvergence, of_two_latches_is_the_closest) {
  const auto kernel = kernel_of(R"(
  LOOP:
    @%p1 bra C;         // A
    mov.u32 %r2, 1;
    bra E;
  C:
    @%p2 bra E;         // C
    bra OUT;            // break
  E:
    add.u32 %r1, %r1, 1;
    @%p3 bra REST;      // choice
    mov.u32 %r3, 1;     // continue
    bra LOOP;
  REST:
    mov.u32 %r4, 1;
    @%p4 bra LOOP;
  OUT:
    ret;)");
  EXPECT_EQ(likely(*kernel, "A"), at(*kernel, "continue"));
  EXPECT_EQ(likely(*kernel, "C"), kNoPc);
  EXPECT_EQ(likely(*kernel, "choice"), kNoPc);  // its sides go to one latch each
}

TEST(LikelyConvergence, of_two_latches_is_one_that_both_sides_come_to) {
  const auto kernel = kernel_of(R"(
  LOOP:
    @%p1 bra Y;         // A
    @%p2 bra Z;         // X
    mov.u32 %r2, 1;     // closest to A, but no way leads here from Y
    bra LOOP;
  Y:
    @%p3 bra OUT;
  Z:
    add.u32 %r1, %r1, 1;  // Z
    @%p4 bra LOOP;
  OUT:
    ret;)");
  EXPECT_EQ(likely(*kernel, "A"), at(*kernel, "Z"));
  EXPECT_EQ(likely(*kernel, "X"), kNoPc);
}

TEST(LikelyConvergence, is_none_where_each_side_has_a_latch_of_its_own) {
  const auto kernel = kernel_of(R"(
  LOOP:
    @%p1 bra OTHER;     // if
    @%p2 bra LOOP;      // first latch
    bra OUT;
  OTHER:
    @%p3 bra LOOP;      // second latch
  OUT:
    ret;)");
  for (const char* name : {"if", "first latch", "second latch"}) EXPECT_EQ(likely(*kernel, name), kNoPc) << name;
}

// Its way to the header is the next trip: threads that take it do not come to a latch in this one.
TEST(LikelyConvergence, is_none_for_a_latch_whose_other_side_comes_to_a_latch) {
  const auto two = kernel_of(R"(
  LOOP:
    @%p1 bra OUT;
    mov.u32 %r1, 1;
    @%p2 bra LOOP;      // first latch
    mov.u32 %r2, 1;
    @%p3 bra LOOP;      // second latch
  OUT:
    ret;)");
  EXPECT_EQ(likely(*two, "first latch"), kNoPc);
  EXPECT_EQ(likely(*two, "second latch"), kNoPc);
  // The latch L and F are a loop without a header of its own.
  const auto interlocked = kernel_of(R"(
  LOOP:
    @%p1 bra OUT;
    @%p2 bra F;         // enter
  L:
    mov.u32 %r1, 1;     // L
    @%p3 bra LOOP;      // latch
  F:
    @%p4 bra L;         // F
  OUT:
    ret;)");
  EXPECT_EQ(likely(*interlocked, "latch"), kNoPc);
  EXPECT_EQ(likely(*interlocked, "enter"), at(*interlocked, "L"));
}

TEST(LikelyConvergence, comes_from_the_innermost_loop_alone) {
  const auto kernel = kernel_of(R"(
  OUTER:
    mov.u32 %r1, 0;
  INNER:
    @%p1 bra SKIP;      // if
    @%p2 bra OUT;       // break of both
  SKIP:
    add.u32 %r1, %r1, 1;  // inner latch
    @%p3 bra INNER;
    add.u32 %r2, %r2, 1;  // outer latch
    @%p4 bra OUTER;
  OUT:
    ret;)");
  EXPECT_EQ(likely(*kernel, "if"), at(*kernel, "inner latch"));
  EXPECT_EQ(likely(*kernel, "break of both"), kNoPc);
  // Both sides of `leave` may come to the outer latch, but it is not the closest.
  const auto leaving = kernel_of(R"(
  OUTER:
    mov.u32 %r1, 0;
  INNER:
    @%p1 bra AFTER;     // leave
    add.u32 %r1, %r1, 1;
    @%p2 bra INNER;
    @%p3 bra OUT;
  AFTER:
    add.u32 %r2, %r2, 1;  // outer latch
    @%p4 bra OUTER;
  OUT:
    ret;)");
  EXPECT_EQ(likely(*leaving, "leave"), kNoPc);
}

TEST(LikelyConvergence, is_none_outside_of_loops) {
  const auto kernel = kernel_of(R"(
    @%p1 bra REST;      // if
    ret;
  REST:
    ret;)");
  EXPECT_EQ(likely(*kernel, "if"), kNoPc);
}

}  // namespace
}  // namespace heddle::test
