// What no command line can bring about today: a refusal, and a bug in heddle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "gpu/machine_keys.h"
#include "report/comparison.h"
#include "report/run_json.h"
#include "report/table.h"

namespace heddle {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

RunResult run_of(const std::string& mechanism, uint64_t slots, unsigned active) {
  Gpu gpu(make_config(), {});
  RunResult run = measure(gpu, "w", [] { return std::optional(workloads::Check{true, ""}); });
  run.mechanism = mechanism;
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
      measure(gpu, "w", []() -> std::optional<workloads::Check> { throw std::runtime_error("oops"); });
  ASSERT_TRUE(run.failure);
  EXPECT_EQ(run.failure->code, ExitCode::Internal);
  EXPECT_EQ(run_json(run)["error"], "internal error: oops");
  EXPECT_EQ(run_json(run)["exit_code"], 70);
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

TEST(Report, NumbersAreGroupedByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

}  // namespace
}  // namespace heddle
