// What no command line can bring about today: a refusal, and a bug in heddle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "gpu/machine_keys.h"
#include "report/breakdown.h"
#include "report/comparison.h"
#include "report/run_json.h"
#include "report/table.h"

namespace heddle {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

RunSpec emulated() {
  RunSpec spec;
  spec.program = "w";
  spec.timed = false;
  return spec;
}

RunResult run_of(const std::string& mechanism, uint64_t slots, unsigned active) {
  Gpu gpu(make_config(), {});
  RunResult run = measure(gpu, emulated(), [] { return std::optional(workloads::Check{true, ""}); });
  run.spec.mechanism = mechanism;
  run.total.stats.issue(slots, active);
  return run;
}

TEST(Report, AMechanismThatRefusesIsShownAndLeftOutOfTheMean) {
  Comparison comparison{
      {"v", "w"}, {"a", "b"}, {run_of("a", 10, 16), run_of("b", 10, 24), run_of("a", 10, 8), run_of("b", 0, 0)}};
  comparison.runs[3].failure = {ExitCode::Refused, "no recursion"};
  const std::string text = comparison_table(comparison);
  EXPECT_THAT(text, ContainsRegex("\nv +a +10 +50.0 % +16.00 +1.000 +passed\n +b +10 +75.0 % +24.00 +1.500 +passed\n"));
  EXPECT_THAT(text, ContainsRegex("\n +b +- +- +- +- +refused\n"));
  EXPECT_THAT(text, ContainsRegex("\nmean +a +37.5 % +1.000 +of 2\n +b +75.0 % +1.500 +of 1\n"));
  EXPECT_THAT(text, HasSubstr("\nw under b: no recursion\n"));
}

TEST(Report, AnUnexpectedExceptionIsAnInternalErrorWithWhatWasMeasured) {
  Gpu gpu(make_config(), {});
  const RunResult run =
      measure(gpu, emulated(), []() -> std::optional<workloads::Check> { throw std::runtime_error("oops"); });
  ASSERT_TRUE(run.failure);
  EXPECT_EQ(run.failure->code, ExitCode::Internal);
  EXPECT_EQ(run_json(run)["error"], "internal error: oops");
  EXPECT_EQ(run_json(run)["exit_code"], 70);
}

TEST(Report, EveryCycleIsInOneClassOfTheBreakdown) {
  CoreStats core;
  for (unsigned active = 0; active <= 32; ++active) core.issue_cycles[active] = active + 1;
  core.stall = 1000;
  core.w0_mem = 2000;
  core.w0_idle = 3000;
  const std::vector<CycleClass> classes = breakdown_of(core, 32);
  uint64_t sum = 0;
  for (const CycleClass& each : classes) sum += each.cycles;
  EXPECT_EQ(sum, core.cycles());
  ASSERT_EQ(classes.size(), 12);
  EXPECT_EQ(classes[0].name, "W1-4");
  EXPECT_EQ(classes[0].cycles, 2 + 3 + 4 + 5);
  EXPECT_EQ(classes[7].name, "W29-32");
  EXPECT_EQ(breakdown_of({}, 16)[7].name, "W15-16");
  EXPECT_EQ(breakdown_of({}, 2)[1].name, "W2");
}

TEST(Report, IntervalsCountFromTheOneBeforeAndCoresWithoutABlockAreIdle) {
  KernelStats stats;
  stats.thread_instructions = 50;
  TimingStats& timing = stats.timing.emplace();
  timing.cycles = 25;
  timing.cores.resize(2);
  timing.cores[0].stall = 25;
  timing.cores[1].w0_idle = 25;  // had no block
  for (uint64_t end : {10, 20}) {
    Sample sample;
    sample.cycle = end;
    sample.thread_instructions = 2 * end;
    sample.cores.stall = end;
    timing.samples.push_back(sample);
  }
  const std::vector<Interval> intervals = intervals_of(stats);
  ASSERT_EQ(intervals.size(), 3);
  for (const Interval& interval : intervals) {
    EXPECT_EQ(interval.counted.cores.stall, interval.cycles);
    EXPECT_EQ(interval.counted.cores.w0_idle, interval.cycles);
    EXPECT_EQ(interval.ipc(), 2);
  }
  EXPECT_EQ(intervals[2].cycles, 5);
  EXPECT_EQ(intervals[2].counted.cycle, 25);
}

TEST(Report, BytesHaveThreeFigures) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1234567), "1.23 MB");
  EXPECT_EQ(bytes_text(45678), "45.7 kB");
  EXPECT_EQ(bytes_text(987e9), "987 GB");
}

TEST(Report, TablesAlignNumbersToTheRightAndWordsToTheLeft) {
  Table table({{"name", false}, {"n"}});
  table.add({"a", "1"});
  table.rule();
  table.add({"long name", "12,345"});
  EXPECT_EQ(table.text(),
            "name            n\n"
            "a               1\n"
            "-----------------\n"
            "long name  12,345\n");
}

TEST(Report, ATableOfAGivenWidthFoldsItsLastColumnBetweenWords) {
  Table table({{"n"}, {"what", false}});
  table.add({"1", "a few words"});
  table.add({"12", "more"});
  table.rule();
  table.add({"3", "one-long-word more"});
  EXPECT_EQ(table.text(10),
            " n  what\n"
            " 1  a few\n"
            "    words\n"
            "12  more\n"
            "----------\n"
            " 3  one-long-word\n"
            "    more\n");
}

TEST(Report, NumbersAreGroupedByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

}  // namespace
}  // namespace heddle
