// Basic blocks, dominators and post-dominators of small control-flow graphs.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "program/decoded.h"

namespace heddle::test {
namespace {

// Successors by name of their first instruction's mark.
std::set<Pc> successors(const Kernel& kernel, std::string_view name) {
  std::set<Pc> result;
  for (uint32_t next : block_at(kernel, name).successors) result.insert(kernel.blocks[next].begin);
  return result;
}

Pc dominator(const Kernel& kernel, std::string_view name) {
  const int32_t index = block_at(kernel, name).dominator;
  return index < 0 ? kNoPc : kernel.blocks[static_cast<size_t>(index)].begin;
}

Pc post_dominator(const Kernel& kernel, std::string_view name) {
  const int32_t index = block_at(kernel, name).post_dominator;
  return index < 0 ? kNoPc : kernel.blocks[static_cast<size_t>(index)].begin;
}

constexpr std::string_view kIfElse = R"(
    setp.eq.u32 %p1, %r1, 0;  // A
    @%p1 bra ELSE;            // branch
    mov.u32 %r2, 1;           // B
    bra.uni JOIN;
  ELSE:
    mov.u32 %r2, 2;           // C
  JOIN:
    mov.u32 %r3, %r2;         // D
    ret;)";

TEST(Blocks, an_if_else_has_four_with_the_edges_of_a_diamond) {
  const auto kernel = kernel_of(kIfElse);
  EXPECT_EQ(kernel->blocks.size(), 4U);
  EXPECT_EQ(successors(*kernel, "A"), (std::set<Pc>{at(*kernel, "B"), at(*kernel, "C")}));
  EXPECT_EQ(successors(*kernel, "B"), (std::set<Pc>{at(*kernel, "D")}));
  EXPECT_EQ(successors(*kernel, "C"), (std::set<Pc>{at(*kernel, "D")}));
  EXPECT_EQ(successors(*kernel, "D"), (std::set<Pc>{}));
  EXPECT_EQ(block_at(*kernel, "D").predecessors.size(), 2U);
}

TEST(Blocks, the_head_of_a_diamond_dominates_it_and_its_foot_post_dominates_it) {
  const auto kernel = kernel_of(kIfElse);
  EXPECT_EQ(dominator(*kernel, "A"), kNoPc);
  for (const char* name : {"B", "C", "D"}) EXPECT_EQ(dominator(*kernel, name), at(*kernel, "A")) << name;
  for (const char* name : {"A", "B", "C"}) EXPECT_EQ(post_dominator(*kernel, name), at(*kernel, "D")) << name;
  EXPECT_EQ(post_dominator(*kernel, "D"), kNoPc);
}

TEST(Blocks, every_instruction_lies_in_one_block_and_blocks_cover_the_code_in_order) {
  const auto kernel = kernel_of(kIfElse);
  Pc next = 0;
  for (uint32_t i = 0; i < kernel->blocks.size(); ++i) {
    EXPECT_EQ(kernel->blocks[i].begin, next);
    for (Pc pc = next; pc < kernel->blocks[i].end; ++pc) EXPECT_EQ(kernel->block_of[pc], i);
    next = kernel->blocks[i].end;
  }
  EXPECT_EQ(next, kernel->code.size());
}

TEST(Blocks, a_loop_goes_back_to_its_header) {
  const auto kernel = kernel_of(R"(
    mov.u32 %r1, 0;              // before
  LOOP:
    add.u32 %r1, %r1, 1;         // body
    setp.lt.u32 %p1, %r1, 10;
    @%p1 bra LOOP;
    mov.u32 %r2, %r1;            // after
    ret;)");
  EXPECT_EQ(successors(*kernel, "body"), (std::set<Pc>{at(*kernel, "body"), at(*kernel, "after")}));
  EXPECT_EQ(dominator(*kernel, "after"), at(*kernel, "body"));
  EXPECT_EQ(post_dominator(*kernel, "before"), at(*kernel, "body"));
  EXPECT_EQ(post_dominator(*kernel, "body"), at(*kernel, "after"));
}

TEST(Blocks, a_table_branch_has_one_edge_for_each_distinct_target) {
  const auto kernel = kernel_of(R"(
    T: .branchtargets ONE, TWO, ONE, ONE;
    brx.idx %r1, T;     // branch
  ONE:
    mov.u32 %r2, 1;     // one
    bra JOIN;
  TWO:
    mov.u32 %r2, 2;     // two
  JOIN:
    ret;                // join
  )");
  EXPECT_EQ(successors(*kernel, "branch"), (std::set<Pc>{at(*kernel, "one"), at(*kernel, "two")}));
  EXPECT_EQ(block_at(*kernel, "branch").successors.size(), 2U);
  EXPECT_EQ(kernel->tables.at(0),
            (std::vector<Pc>{at(*kernel, "one"), at(*kernel, "two"), at(*kernel, "one"), at(*kernel, "one")}));
}

TEST(Blocks, a_call_does_not_end_one_and_the_callee_has_its_own) {
  const auto kernel = kernel_of(R"(
    mov.u32 %r1, 1;     // before
    call.uni f;         // call
    mov.u32 %r2, 2;     // after
    ret;)",
                                ".func f() { ret; }");
  EXPECT_EQ(kernel->block_of[at(*kernel, "before")], kernel->block_of[at(*kernel, "after")]);
  ASSERT_EQ(kernel->functions.size(), 2U);
  EXPECT_EQ(kernel->functions[0].name, "k");
  EXPECT_EQ(kernel->functions[1].name, "f");
  EXPECT_EQ(kernel->code[at(*kernel, "call")].target, kernel->functions[1].begin);
  EXPECT_EQ(kernel->blocks[kernel->block_of[kernel->functions[1].begin]].function, 1U);
  EXPECT_TRUE(kernel->has_calls);
  EXPECT_FALSE(kernel->recursive);
}

TEST(Blocks, a_conditional_branch_to_the_next_instruction_has_one_edge) {
  const auto kernel = kernel_of(R"(
    @%p1 bra NEXT;      // branch
  NEXT:
    ret;                // next
  )");
  EXPECT_EQ(block_at(*kernel, "branch").successors.size(), 1U);
  EXPECT_EQ(kernel->reconvergence[at(*kernel, "branch")], kNoPc);
}

TEST(Blocks, only_functions_that_the_kernel_reaches_are_decoded) {
  const auto kernel =
      kernel_of("call.uni f; ret;", ".func g() { ret; }\n.func h() { ret; }\n.func f() { call.uni g; ret; }");
  std::set<std::string> names;
  for (const FunctionRange& function : kernel->functions) names.insert(function.name);
  EXPECT_EQ(names, (std::set<std::string>{"k", "f", "g"}));
}

TEST(Blocks, code_that_runs_off_its_end_exits_or_returns) {
  const auto kernel = kernel_of("call.uni f;\n mov.u32 %r1, 1;", ".func f() { .reg .b32 %x; mov.u32 %x, 1; }");
  EXPECT_EQ(kernel->code[kernel->functions[0].end - 1].op, Op::Exit);
  EXPECT_EQ(kernel->code[kernel->functions[1].end - 1].op, Op::Ret);
}

}  // namespace
}  // namespace heddle::test
