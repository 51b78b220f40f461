// Why is it slow? Small kernels that are slow for one known reason each, and the sentence that says so.
#include "report/profile/answer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/made_run.h"
#include "report/profile/profile.h"
#include "report/profile/what_if.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Answer answer_to(const Made& made) { return profile_of(run_made(made)).answer; }

TEST(Answer, a_strided_load_names_its_line_its_lines_and_its_stride) {
  const Made strided{
      loop("mad.lo.u32 %r5, %r9, 1024, %r2;\nmul.wide.u32 %rd2, %r5, 128;\nadd.u64 %rd2, %rd2, %rd1;\n"
           "ld.global.u32 %r6, [%rd2];\nadd.u32 %r7, %r7, %r6;\n")};
  const Answer answer = answer_to(strided);
  EXPECT_TRUE(answer.bound == Bound::MemoryStage || answer.bound == Bound::Bandwidth) << answer.sentence;
  EXPECT_EQ(answer.line, 16U);
  EXPECT_GT(answer.share, 0.5);
  EXPECT_THAT(answer.sentence, HasSubstr("the load in line 16"));
  EXPECT_THAT(answer.sentence, HasSubstr("32.0 lines per access, neighbouring threads are 128 bytes apart"));
}

TEST(Answer, one_warp_that_follows_pointers_waits_for_latency) {
  const Made chain{loop("mul.wide.u32 %rd2, %r9, 4096;\nadd.u64 %rd2, %rd2, %rd1;\nld.global.u32 %r6, [%rd2];\n"
                        "add.u32 %r9, %r9, %r6;\n"),
                   {1},
                   {32},
                   {"cores=1"}};
  const Answer answer = answer_to(chain);
  EXPECT_EQ(answer.bound, Bound::Latency) << answer.sentence;
  EXPECT_EQ(answer.line, 15U);
  EXPECT_THAT(answer.sentence, HasSubstr("% of the cycles wait for the load in line 15: 1.0 lines per access"));
  EXPECT_THAT(answer.sentence, HasSubstr("the same address"));
  EXPECT_THAT(answer.sentence, HasSubstr("it takes"));
}

TEST(Answer, a_stream_that_keeps_the_channels_busy_waits_for_bandwidth) {
  const Made stream{loop("mad.lo.u32 %r5, %r9, 4096, %r2;\nmul.wide.u32 %rd2, %r5, 4;\nadd.u64 %rd2, %rd2, %rd1;\n"
                         "ld.global.u32 %r6, [%rd2];\nadd.u32 %r7, %r7, %r6;\n"),
                    {8},
                    {512},
                    {"cores=4", "channels=1", "dram_bytes_per_cycle=4"}};
  const Answer answer = answer_to(stream);
  EXPECT_EQ(answer.bound, Bound::Bandwidth) << answer.sentence;
  EXPECT_THAT(answer.sentence, StartsWith("Memory is busy"));
}

TEST(Answer, thirty_two_ways_on_one_bank_are_bank_conflicts) {
  const Made conflict{
      "and.b32 %r5, %r1, 63;\nmul.lo.u32 %r5, %r5, 128;\nmov.u32 %r6, words;\nadd.u32 %r5, %r5, %r6;\n" +
      loop("ld.shared.u32 %r7, [%r5];\nadd.u32 %r8, %r8, %r7;\n")};
  const Answer answer = answer_to(conflict);
  EXPECT_EQ(answer.bound, Bound::Banks) << answer.sentence;
  EXPECT_EQ(answer.line, 17U);
  EXPECT_THAT(answer.sentence, HasSubstr("32.0 passes over the banks per access, neighbouring threads are 128 bytes"));
  Made without = conflict;
  without.body.replace(without.body.find("128"), 3, "132");  // a word of padding in every row
  EXPECT_NE(answer_to(without).bound, Bound::Banks);
}

TEST(Answer, a_loop_whose_threads_leave_at_different_times_is_divergence) {
  const Made loops{
      "and.b32 %r5, %r1, 31;\nmov.u32 %r9, 0;\n"
      "LOOP: add.u32 %r9, %r9, 1;\nadd.u32 %r10, %r10, 3;\nadd.u32 %r11, %r11, 3;\nadd.u32 %r12, %r12, 3;\n"
      "setp.le.u32 %p1, %r9, %r5;\n@%p1 bra LOOP;\n",
      {4},
      {1024}};
  const Answer answer = answer_to(loops);
  EXPECT_EQ(answer.bound, Bound::Divergence) << answer.sentence;
  EXPECT_EQ(answer.line, 19U);
  // Turn n of 32 goes for 33 - n threads, six instructions each; eight more go for all: 2976 of 6400 lanes.
  EXPECT_THAT(answer.sentence, HasSubstr("46 % of the lanes idle"));
  EXPECT_THAT(answer.sentence, HasSubstr("the branch in line 19 is to blame for 100 % of them"));
  Made emulated = loops;
  emulated.timed = false;
  EXPECT_EQ(answer_to(emulated).bound, Bound::Divergence);
  EXPECT_THAT(answer_to(emulated).sentence, StartsWith("46 % of the lanes idle: the branch in line 19"));
}

TEST(Answer, one_warp_that_works_while_the_others_are_at_the_barrier) {
  const Made uneven{
      "setp.ge.u32 %p2, %r1, 32;\n@%p2 bra MEET;\n" + loop("sin.approx.f32 %f1, %f1;\n") + "MEET: bar.sync 0;\n",
      {1},
      {512},
      {"cores=1"}};
  const Answer answer = answer_to(uneven);
  EXPECT_EQ(answer.bound, Bound::Barriers) << answer.sentence;
  EXPECT_EQ(answer.line, 19U);
  EXPECT_THAT(answer.sentence, HasSubstr("most warps wait at the barrier in line 19 for others"));
  EXPECT_THAT(answer.sentence, HasSubstr("in line 15")) << "what these wait for";
}

TEST(Answer, one_block_leaves_the_other_cores_without_work) {
  const Answer answer = answer_to({loop("add.f32 %f1, %f1, %f2;\n"), {1}, {256}, {"cores=8"}});
  EXPECT_EQ(answer.bound, Bound::Blocks);
  EXPECT_NEAR(answer.share, 7.0 / 8, 0.01);
  EXPECT_THAT(answer.sentence, HasSubstr("have no block: a launch has 1 for 8 cores"));
}

TEST(Answer, one_warp_cannot_hide_how_long_arithmetic_takes_and_many_can) {
  const Made few{
      loop("add.f32 %f1, %f1, %f2;\nadd.f32 %f1, %f1, %f2;\nadd.f32 %f1, %f1, %f2;\n"), {1}, {32}, {"cores=1"}};
  const Answer answer = answer_to(few);
  EXPECT_EQ(answer.bound, Bound::Warps) << answer.sentence;
  EXPECT_THAT(answer.sentence, HasSubstr("1 of 64 warps"));
  Made many = few;
  many.grid = {2}, many.block = {1024};
  EXPECT_EQ(answer_to(many).bound, Bound::Compute);
  EXPECT_THAT(answer_to(many).sentence, HasSubstr("100 % of the lanes are active"));
}

TEST(Answer, a_slow_unit_that_all_want) {
  const Answer answer = answer_to({loop("sin.approx.f32 %f1, %f2;\n"), {4}, {1024}, {"sfu_interval=32"}});
  EXPECT_EQ(answer.bound, Bound::Units) << answer.sentence;
  EXPECT_EQ(answer.line, 13U);
}

// ---- cycles by line

TEST(ProfileTime, cycles_of_lines_and_of_nobody_sum_to_those_of_the_cores) {
  for (const char* mechanism : {"pdom", "tbc", "dwf", "its"}) {
    RunSpec spec;
    spec.program = "bfs";
    spec.size = "tiny";
    spec.preset = "tbc-hpca11";
    spec.mechanism = mechanism;
    spec.instruments.add("profile");
    const Profile profile = profile_of(execute(spec));
    uint64_t charged = 0;
    for (const ProfileLine& line : profile.lines) charged += line.time.cycles();
    for (const uint64_t cycles : profile.nobodys) charged += cycles;
    EXPECT_EQ(charged, profile.use.cycles) << mechanism;
    ASSERT_EQ(profile.kernels.size(), 2U);
    EXPECT_EQ(profile.kernels[0].cost.slots + profile.kernels[1].cost.slots, profile.total.slots);
  }
}

TEST(ProfileTime, a_branch_knows_what_lies_between_it_and_where_its_threads_meet) {
  const Profile profile = profile_of(run_made(
      {"setp.lt.u32 %p2, %r1, 16;\n@%p2 bra END;\nadd.u32 %r5, %r1, 1;\nadd.u32 %r5, %r5, 1;\nEND: \n", {1}, {32}}));
  ASSERT_EQ(profile.branches.size(), 1U);
  EXPECT_EQ(profile.branches[0].inside.slots, 2U);
  EXPECT_EQ(profile.branches[0].inside.lanes_lost, 32U);
  EXPECT_GT(profile.branches[0].time_inside.cycles(), 2U) << "the second waits for the first";
}

// ---- what if

TEST(WhatIf, saves_slots_where_threads_of_several_warps_could_go_together_and_they_sum) {
  // Even warps take one way with their lower half, odd ones with their upper half: together they fill a warp.
  Made made{
      "shr.u32 %r5, %r1, 5;\nshr.u32 %r6, %r1, 4;\nxor.b32 %r5, %r5, %r6;\nand.b32 %r5, %r5, 1;\n"
      "setp.eq.u32 %p2, %r5, 0;\n@%p2 bra END;\n" +
          loop("add.u32 %r7, %r7, 3;\n") + "END: \n",
      {4},
      {256}};
  const RunResult base = run_made(made);
  made.mechanism = "tbc";
  const RunResult other = run_made(made);
  const Profile profile = profile_of(base);
  const WhatIf saved = what_if(base, profile, other);
  ASSERT_EQ(profile.branches.size(), 1U);
  EXPECT_EQ(saved.problem, "");
  EXPECT_EQ(saved.all.slots, static_cast<double>(base.total.stats.issue_slots - other.total.stats.issue_slots));
  EXPECT_GT(saved.branches[0].slots, 0.9 * profile.branches[0].lanes_lost / 32) << "nearly all";
  EXPECT_NEAR(saved.branches[0].slots + saved.by_nobody, saved.all.slots, 1e-6);
  EXPECT_GT(saved.branches[0].cycles, 0);
  EXPECT_GT(saved.all.cycles, 0);
}

TEST(WhatIf, says_why_a_mechanism_cannot_run_it) {
  RunResult refused = run_made({"", {1}, {32}});
  const Profile profile = profile_of(refused);
  refused.failure = {ExitCode::Refused, "mechanism 'x' cannot run it: why\nmore"};
  EXPECT_EQ(what_if(refused, profile, refused).problem, "mechanism 'x' cannot run it: why");
}

}  // namespace
}  // namespace heddle
