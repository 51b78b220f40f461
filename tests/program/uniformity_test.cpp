// Which branches go one way for a whole block.
#include <gtest/gtest.h>

#include "program/decoded.h"

namespace heddle::test {
namespace {

bool uniform(const Kernel& kernel, std::string_view branch = "branch") { return kernel.uniform[at(kernel, branch)]; }

// A kernel that branches on %p1 after `body`.
std::shared_ptr<const Kernel> branching_after(const std::string& body, std::string_view before = "") {
  return kernel_of(body + R"(
    @%p1 bra JOIN;      // branch
    mov.u32 %r30, 1;
  JOIN:
    ret;)",
                   before);
}

TEST(Uniform, is_what_depends_on_the_block_the_launch_and_the_parameters) {
  for (const char* source : {"%ctaid.x", "%ntid.y", "%nctaid.z", "7"})
    EXPECT_TRUE(uniform(*branching_after(std::string("mov.u32 %r1, ") + source + "; setp.eq.u32 %p1, %r1, 3;")))
        << source;
  EXPECT_TRUE(uniform(*branching_after("ld.param.u64 %rd1, [in]; setp.eq.u64 %p1, %rd1, 0;")));
}

TEST(Uniform, is_constant_memory_at_a_uniform_address) {
  const char* table = ".const .b32 table[4] = {1, 2, 3, 4};";
  EXPECT_TRUE(uniform(*branching_after("ld.const.u32 %r1, [table+4]; setp.eq.u32 %p1, %r1, 2;", table)));
  EXPECT_FALSE(uniform(
      *branching_after("mov.u32 %r2, %tid.x; mul.wide.u32 %rd1, %r2, 4; mov.u64 %rd2, table; add.u64 %rd1, %rd1, %rd2;"
                       "ld.const.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 2;",
                       table)));
}

TEST(Uniform, is_not_what_depends_on_the_thread) {
  for (const char* source : {"%tid.x", "%tid.y", "%tid.z", "%laneid", "%warpid", "%lanemask_lt", "%clock"})
    EXPECT_FALSE(uniform(*branching_after(std::string("mov.u32 %r1, ") + source + "; setp.eq.u32 %p1, %r1, 3;")))
        << source;
}

TEST(Uniform, is_not_what_was_loaded_from_memory_that_may_change) {
  EXPECT_FALSE(
      uniform(*branching_after("ld.param.u64 %rd1, [in]; ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0;")));
}

TEST(Uniform, is_not_what_warp_wide_instructions_give) {
  EXPECT_FALSE(uniform(*branching_after("setp.eq.u32 %p2, %r1, 0; vote.sync.any.pred %p1, %p2, -1;")));
  EXPECT_FALSE(uniform(*branching_after("activemask.b32 %r1; setp.eq.u32 %p1, %r1, 0;")));
}

TEST(Uniform, survives_arithmetic_on_uniform_values_and_no_other) {
  EXPECT_TRUE(uniform(*branching_after(
      "mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 3, 4; shl.b32 %r3, %r2, 1; setp.lt.u32 %p1, %r3, 9;")));
  EXPECT_FALSE(uniform(
      *branching_after("mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; add.u32 %r3, %r1, %r2; setp.lt.u32 %p1, %r3, 9;")));
}

TEST(Uniform, is_lost_by_a_write_that_some_threads_skip) {
  EXPECT_FALSE(uniform(*branching_after(R"(
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p2, %r1, 0;
    mov.u32 %r2, 5;
    @%p2 mov.u32 %r2, 6;
    setp.eq.u32 %p1, %r2, 5;)")));
  EXPECT_FALSE(uniform(*branching_after(R"(
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p2, %r1, 0;
    mov.u32 %r2, 5;
    @%p2 bra SKIP;
    mov.u32 %r2, 6;
  SKIP:
    setp.eq.u32 %p1, %r2, 5;)")));
}

TEST(Uniform, is_kept_by_writes_under_a_uniform_branch) {
  EXPECT_TRUE(uniform(*branching_after(R"(
    mov.u32 %r1, %ctaid.x;
    setp.eq.u32 %p2, %r1, 0;
    mov.u32 %r2, 5;
    @%p2 bra SKIP;
    mov.u32 %r2, 6;
  SKIP:
    setp.eq.u32 %p1, %r2, 5;)")));
}

TEST(Uniform, is_a_loop_with_the_same_trips_for_all) {
  const auto kernel = kernel_of(R"(
    mov.u32 %r1, 0;
  LOOP:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 10;
    @%p1 bra LOOP;      // branch
    ret;)");
  EXPECT_TRUE(uniform(*kernel));
}

TEST(Uniform, is_not_a_counter_of_a_loop_that_threads_leave_at_different_times) {
  const auto kernel = kernel_of(R"(
    mov.u32 %r1, 0;
    mov.u32 %r2, %tid.x;
  LOOP:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, %r2;
    @%p1 bra LOOP;      // back
    setp.eq.u32 %p2, %r1, 5;
    @%p2 bra JOIN;      // branch
    mov.u32 %r3, 1;
  JOIN:
    ret;)");
  EXPECT_FALSE(uniform(*kernel, "back"));
  EXPECT_FALSE(uniform(*kernel, "branch"));
}

// Two divergent branches share the block X; the region of the second goes on behind it to Y.
TEST(Uniform, is_lost_in_the_whole_region_of_a_branch_though_another_region_lies_inside) {
  const auto kernel = kernel_of(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, 0;
    setp.eq.u32 %p1, %r1, 0;
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra SECOND;    // by block
    @%p1 bra X;         // first
    bra Y;
  X:
    mov.u32 %r4, 1;
  Y:
    mov.u32 %r3, 1;
    bra Z;
  SECOND:
    @%p1 bra X;         // second
  Z:
    setp.eq.u32 %p3, %r3, 1;
    @%p3 bra JOIN;      // branch
    mov.u32 %r5, 1;
  JOIN:
    ret;)");
  EXPECT_TRUE(uniform(*kernel, "by block"));
  EXPECT_FALSE(uniform(*kernel, "first"));
  EXPECT_FALSE(uniform(*kernel, "second"));
  EXPECT_FALSE(uniform(*kernel, "branch")) << "in block 0 only thread 0 has passed Y";
}

TEST(Uniform, is_nothing_inside_a_function) {
  const auto kernel = kernel_of("call.uni f; ret;", R"(
  .func f() {
    .reg .pred %p;
    .reg .b32 %r;
    mov.u32 %r, %ctaid.x;
    setp.eq.u32 %p, %r, 0;
    @%p bra JOIN;       // branch
    mov.u32 %r, 1;
  JOIN:
    ret;
  })");
  EXPECT_FALSE(uniform(*kernel));
}

}  // namespace
}  // namespace heddle::test
