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

TEST(LikelyConvergence, is_none_in_a_loop_with_two_latches) {
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
