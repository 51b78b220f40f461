// The summary of kernels: its numbers against what small kernels are known to do, and its word for what limits them
// against that of a profile, which sees every cycle.
#include "report/profile/kernel_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/made_run.h"
#include "report/profile/profile.h"

namespace heddle {
namespace {

using testing::HasSubstr;

KernelSummary summary_without_profile(Made made) {
  made.profiled = false;
  const std::vector<KernelSummary> all = summary_of(run_made(made));
  EXPECT_EQ(all.size(), 1U);
  return all.at(0);
}

Made stream() {
  return {loop("mad.lo.u32 %r5, %r9, 4096, %r2;\nmul.wide.u32 %rd2, %r5, 4;\nadd.u64 %rd2, %rd2, %rd1;\n"
               "ld.global.u32 %r6, [%rd2];\nadd.u32 %r7, %r7, %r6;\n"),
          {8},
          {512},
          {"cores=4", "channels=1", "dram_bytes_per_cycle=4", "core_clock=2000", "memory_clock=1000"}};
}

TEST(KernelSummary, a_stream_moves_its_bytes_and_is_limited_by_bandwidth) {
  const KernelSummary summary = summary_without_profile(stream());
  const double bytes = 64.0 * 4096 * 4, cycles = static_cast<double>(summary.cycles), seconds = cycles / 2e9;
  EXPECT_EQ(summary.bound, Bound::Bandwidth);
  EXPECT_DOUBLE_EQ(summary.seconds, seconds);
  EXPECT_NEAR(summary.dram_bytes_per_second, bytes / seconds, 1e-9 * bytes / seconds);
  EXPECT_NEAR(summary.use.dram, bytes / (4 * cycles / 2), 1e-9) << "4 bytes in two core cycles";
  EXPECT_GT(summary.l2_bytes_per_second, bytes / seconds) << "headers come on top";
}

TEST(KernelSummary, a_loop_of_arithmetic_is_limited_by_issue) {
  const Made made{loop("add.f32 %f1, %f1, %f2;\nadd.f32 %f3, %f3, %f2;\n"), {2}, {1024}, {"cores=1"}};
  const KernelSummary summary = summary_without_profile(made);
  EXPECT_EQ(summary.bound, Bound::Compute);
  // 64 warps; five instructions before the loop, the loop's first, 64 turns of five, and the end.
  EXPECT_EQ(summary.instructions, 64U * (5 + 1 + 64 * 5 + 1));
  EXPECT_NEAR(summary.issue_rate(), static_cast<double>(summary.instructions) / static_cast<double>(summary.cycles),
              1e-9);
  EXPECT_NEAR(summary.issue_share(), summary.issue_rate(), 1e-9) << "one port, a cycle each";
  EXPECT_EQ(summary.use.warps_per_core, 64);
  EXPECT_EQ(summary.occupancy(), 1);
}

TEST(KernelSummary, a_launch_that_takes_longer_to_begin_than_to_run) {
  Made made{loop("add.f32 %f1, %f1, %f2;\n"), {2}, {1024}, {"cores=1", "launch_overhead=1000000"}};
  EXPECT_EQ(summary_without_profile(made).bound, Bound::Launches);
  const Answer answer = profile_of(run_made(made)).answer;
  EXPECT_EQ(answer.bound, Bound::Launches);
  EXPECT_THAT(answer.sentence, HasSubstr("of the cycles are overhead of launches"));
  made.set.back() = "launch_overhead=1000";
  EXPECT_EQ(summary_without_profile(made).bound, Bound::Compute);
}

TEST(KernelSummary, says_of_kernels_that_are_slow_for_one_reason_what_a_profile_says) {
  const std::string bank =
      "and.b32 %r5, %r1, 63;\nmul.lo.u32 %r5, %r5, 128;\nmov.u32 %r6, words;\n"
      "add.u32 %r5, %r5, %r6;\n" +
      loop("ld.shared.u32 %r7, [%r5];\nadd.u32 %r8, %r8, %r7;\n");
  const std::string chain = loop(
      "mul.wide.u32 %rd2, %r9, 4096;\nadd.u64 %rd2, %rd2, %rd1;\n"
      "ld.global.u32 %r6, [%rd2];\nadd.u32 %r9, %r9, %r6;\n");
  const std::string lanes =
      "and.b32 %r5, %r1, 31;\nmov.u32 %r9, 0;\n"
      "LOOP: add.u32 %r9, %r9, 1;\nadd.u32 %r10, %r10, 3;\nadd.u32 %r11, %r11, 3;\nadd.u32 %r12, %r12, 3;\n"
      "setp.le.u32 %p1, %r9, %r5;\n@%p1 bra LOOP;\n";
  const std::vector<std::pair<Made, Bound>> known{
      {{bank}, Bound::Banks},
      {{chain, {1}, {32}, {"cores=1"}}, Bound::Latency},
      {{lanes, {4}, {1024}}, Bound::Divergence},
      {{loop("add.f32 %f1, %f1, %f2;\n"), {1}, {256}, {"cores=8"}}, Bound::Blocks},
      {{loop("add.f32 %f1, %f1, %f2;\nadd.f32 %f1, %f1, %f2;\n"), {1}, {32}, {"cores=1"}}, Bound::Warps},
      {{loop("sin.approx.f32 %f1, %f2;\n"), {4}, {1024}, {"sfu_interval=32"}}, Bound::Units},
      {stream(), Bound::Bandwidth}};
  for (const auto& [made, bound] : known) {
    EXPECT_EQ(name_of(summary_without_profile(made).bound), std::string(name_of(bound))) << made.body;
    EXPECT_EQ(name_of(profile_of(run_made(made)).answer.bound), std::string(name_of(bound))) << made.body;
  }
}

TEST(KernelSummary, has_the_longest_first_and_their_shares_sum_to_one) {
  RunSpec spec;
  spec.program = "bfs";
  spec.size = "tiny";
  spec.preset = "h200";
  const RunResult run = execute(spec);
  const std::vector<KernelSummary> all = summary_of(run);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_GE(all[0].cycles, all[1].cycles);
  EXPECT_DOUBLE_EQ(all[0].share + all[1].share, 1);
  EXPECT_EQ(all[0].cycles + all[1].cycles, run.timing().cycles);
  EXPECT_EQ(all[0].instructions + all[1].instructions, run.timing().all_cores().machine_instructions);
  const double at_least = all[0].issue_rate() / (132 * 4);
  EXPECT_GE(all[0].issue_share(), at_least) << "an instruction of each sub-core a cycle";
  EXPECT_LT(all[0].issue_share(), 1.25 * at_least) << "and a cycle more for each jump";
  EXPECT_EQ(all[0].use.most_warps, 64);
  EXPECT_THAT(summary_table(run), HasSubstr("528 instructions per cycle at 1980 MHz, 64 warps in a core"));
  EXPECT_THAT(summary_table(run), HasSubstr("too few blocks ("));
}

TEST(KernelSummary, is_empty_without_a_clock) {
  EXPECT_EQ(summary_table(run_made({.body = "", .timed = false, .profiled = false})), "");
}

}  // namespace
}  // namespace heddle
