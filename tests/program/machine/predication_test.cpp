// Which branches become guards.
#include <gtest/gtest.h>

#include "program/machine/lowered.h"

namespace heddle::test::predication_test {
namespace {

CodeOptions up_to(unsigned limit) {
  CodeOptions options;
  options.predicate_up_to = limit;
  options.schedule = false;
  return options;
}

constexpr std::string_view kIf = R"(
    ld.param.u64 %rd1, [in];
    ld.global.u32 %r1, [%rd1];
    setp.eq.s32 %p1, %r1, 0;
    @%p1 bra JOIN;              // branch
    mul.lo.s32 %r2, %r1, %r1;   // first
    mul.lo.s32 %r1, %r2, %r2;   // second
  JOIN:
    st.global.u32 [%rd1], %r1;  // behind
    ret;)";

TEST(Predication, a_side_of_so_many_instructions_is_guarded_and_one_of_more_is_branched_around) {
  const auto guarded = machine_code_of(kIf, up_to(2)), branched = machine_code_of(kIf, up_to(1));
  EXPECT_FALSE(has(*guarded, "branch"));
  EXPECT_TRUE(has(*branched, "branch"));
  for (const char* name : {"first", "second"}) {
    EXPECT_TRUE(guarded->code[at(*guarded, name)].guarded()) << name;
    EXPECT_TRUE(guarded->code[at(*guarded, name)].guard_negated) << name;
    EXPECT_FALSE(branched->code[at(*branched, name)].guarded()) << name;
  }
  EXPECT_FALSE(guarded->code[at(*guarded, "behind")].guarded());
  EXPECT_EQ(guarded->blocks.size(), 1U);
}

TEST(Predication, none_is_guarded_up_to_zero) { EXPECT_TRUE(has(*machine_code_of(kIf, up_to(0)), "branch")); }

TEST(Predication, both_sides_are_guarded_each_by_its_own_case) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    ld.global.u32 %r1, [%rd1];
    setp.eq.s32 %p1, %r1, 0;
    @%p1 bra ELSE;              // branch
    add.s32 %r2, %r1, 1;        // then
    bra.uni JOIN;               // over
  ELSE:
    mul.lo.s32 %r2, %r1, 3;     // else
  JOIN:
    st.global.u32 [%rd1], %r2;
    ret;)",
                                      up_to(8));
  EXPECT_FALSE(has(*kernel, "branch"));
  EXPECT_FALSE(has(*kernel, "over"));
  EXPECT_TRUE(kernel->code[at(*kernel, "then")].guard_negated);
  EXPECT_TRUE(kernel->code[at(*kernel, "else")].guarded());
  EXPECT_FALSE(kernel->code[at(*kernel, "else")].guard_negated);
}

// The end is not the next in the text: the way out stays, for all threads.
TEST(Predication, a_side_that_jumps_to_the_end_keeps_its_jump) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    ld.global.u32 %r1, [%rd1];
    setp.eq.s32 %p1, %r1, 0;
    setp.eq.s32 %p2, %r1, 1;
    @%p1 bra OTHER;             // outer
    @%p2 bra JOIN;              // inner
    add.s32 %r1, %r1, 1;        // side
    bra.uni JOIN;               // jump
  OTHER:
    membar.gl;
  JOIN:
    st.global.u32 [%rd1], %r1;  // end
    ret;)",
                                      up_to(8));
  EXPECT_TRUE(has(*kernel, "outer"));
  EXPECT_FALSE(has(*kernel, "inner"));
  EXPECT_TRUE(kernel->code[at(*kernel, "side")].guarded());
  const Instruction& jump = kernel->code[at(*kernel, "jump")];
  EXPECT_FALSE(jump.guarded());
  EXPECT_EQ(jump.target, at(*kernel, "end"));
}

std::string with_side(std::string_view side) {
  return R"(
    ld.param.u64 %rd1, [in];
    ld.global.u32 %r1, [%rd1];
    setp.eq.s32 %p1, %r1, 0;
    @%p1 bra JOIN;              // branch
    )" + std::string(side) +
         R"(
  JOIN:
    st.global.u32 [%rd1], %r1;
    ret;)";
}

TEST(Predication, leaves_what_must_not_be_guarded) {
  for (const char* side :
       {"atom.global.add.u32 %r1, [%rd1], 1;", "red.global.add.u32 [%rd1], 1;", "bar.sync 0;", "membar.gl;",
        "setp.ne.s32 %p1, %r1, 5; selp.b32 %r1, 1, 2, %p1;", "setp.ne.s32 %p2, %r1, 5; @%p2 mov.u32 %r1, 7;",
        "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;", "ret;"})
    EXPECT_TRUE(has(*machine_code_of(with_side(side), up_to(255)), "branch")) << side;
  for (const char* side : {"ld.global.u32 %r1, [%rd1+4];", "st.global.u32 [%rd1+4], %r1;", "mov.u32 %r1, 9;"})
    EXPECT_FALSE(has(*machine_code_of(with_side(side), up_to(255)), "branch")) << side;
}

TEST(Predication, a_loop_stays) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    mov.u32 %r1, 0;
  LOOP:
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p1, %r1, 9;
    @%p1 bra LOOP;              // back
    st.global.u32 [%rd1], %r1;
    ret;)",
                                      up_to(255));
  EXPECT_TRUE(has(*kernel, "back"));
}

}  // namespace
}  // namespace heddle::test::predication_test
