// Errors, ranks and what a kernel's row is made of, against values worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "validation/validation_text.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Agreement, OfNothingIsNothing) {
  const Agreement agreement = agreement_of({});
  EXPECT_EQ(agreement.count, 0U);
  EXPECT_EQ(agreement.mean_error, 0);
  EXPECT_EQ(agreement.times_off, 1);
}

TEST(Agreement, IsTheMeanOfWhatIsTooMuchAndTooLittle) {
  const Agreement agreement = agreement_of({{100, 150}, {200, 150}, {10, 10}});  // +50 %, -25 %, 0
  EXPECT_EQ(agreement.count, 3U);
  EXPECT_DOUBLE_EQ(agreement.mean_error, 0.25);
  EXPECT_DOUBLE_EQ(agreement.times_off, 1.5);
}

TEST(Agreement, TheWorstMayBeTooLittle) { EXPECT_DOUBLE_EQ(agreement_of({{100, 150}, {100, 40}}).times_off, 2.5); }

TEST(Agreement, OrderIsAllThatCountsForTheRank) {
  EXPECT_DOUBLE_EQ(agreement_of({{1, 10}, {2, 1000}, {3, 1001}}).spearman, 1);
  EXPECT_DOUBLE_EQ(agreement_of({{1, 3}, {2, 2}, {3, 1}}).spearman, -1);
  // Ranks 1 2 3 4 5 and 2 1 4 3 5: the squares of the differences sum to 4, and 1 - 6 * 4 / (5 * 24) = 0.8.
  EXPECT_DOUBLE_EQ(agreement_of({{1, 20}, {2, 10}, {3, 40}, {4, 30}, {5, 50}}).spearman, 0.8);
}

TEST(Agreement, WhatIsEqualSharesItsPlaces) {
  // Ranks 1 2.5 2.5 4 and 1 2 3 4: the products of the distances from 2.5 sum to 4.5, their squares to 4.5 and 5.
  EXPECT_NEAR(agreement_of({{1, 1}, {2, 2}, {2, 3}, {3, 4}}).spearman, 4.5 / std::sqrt(4.5 * 5), 1e-12);
  EXPECT_EQ(agreement_of({{1, 5}, {2, 5}, {3, 5}}).spearman, 0);  // no order to agree with
}

ValidatedKernel row_of(const std::string& workload, const std::string& kernel, double hardware, double simulated) {
  ValidatedKernel row;
  row.workload = workload;
  row.kernel = kernel;
  row.launches = 1;
  row.values["cycles"] = {hardware, simulated};
  return row;
}

TEST(Validation, WorkloadsAreTheSumsOfTheirKernels) {
  Validation validation;
  validation.kernels = {row_of("a", "x", 10, 20), row_of("a", "y", 30, 10), row_of("b", "x", 5, 6)};
  const std::vector<Beside> sums = validation.workload_cycles();
  ASSERT_EQ(sums.size(), 2U);
  EXPECT_EQ(sums[0].hardware, 40);
  EXPECT_EQ(sums[0].simulated, 30);
  EXPECT_EQ(sums[1].simulated, 6);
}

TEST(Validation, WhatFailedOrWasNeverCountedIsInNoMean) {
  Validation validation;
  validation.kernels = {row_of("a", "x", 10, 12), row_of("b", "x", 10, 1000), row_of("c", "x", 0, 7)};
  validation.kernels[1].failure = "gave up";
  EXPECT_EQ(validation.all_of("cycles").size(), 1U);
  EXPECT_EQ(validation.all_of("l1_sectors").size(), 0U);
  EXPECT_THAT(validation_table(validation), HasSubstr("gave up"));
  const auto json = validation_json(validation, "heddle validate");
  EXPECT_EQ(json["agreement"]["cycles"]["count"], 1);
  EXPECT_DOUBLE_EQ(json["agreement"]["cycles"]["mean_absolute_error"], 0.2);
  EXPECT_FALSE(json["agreement"].contains("l1_sectors"));
  EXPECT_EQ(json["kernels"][1]["failure"], "gave up");
}

TEST(Validation, CyclesOfCoresAreInOneClassEach) {
  CoreStats cores;
  cores.issue_cycles[0] = 5;
  cores.issue_cycles[32] = 15;
  cores.w0_mem = 62;
  cores.stall = 1;
  cores.w0_idle = 17;
  cores.empty = 14;
  const std::vector<CycleClass> spent = spent_of(cores);
  std::vector<std::string> names;
  uint64_t sum = 0;
  for (const CycleClass& each : spent) {
    names.push_back(each.name);
    sum += each.cycles;
  }
  EXPECT_THAT(names, ElementsAre("memory", "issue", "no block", "other waits", "pipeline"));
  EXPECT_EQ(sum, cores.cycles());
  EXPECT_EQ(spent_text(spent), "memory 62 %, issue 20 %, no block 14 %");
  EXPECT_EQ(spent_text(spent_of(CoreStats())), "");
}

TEST(Validation, TheMarkdownHasATableOfEach) {
  Validation validation;
  validation.hardware.device = "A GPU";
  validation.hardware.core_clock = 1500;
  validation.kernels = {row_of("a", "x|y", 100, 120)};
  validation.micro = {{"near", "cycles", {100, 104}, 100, 100, ""},
                      {"far", "cycles", {100, 94}, 100, 100, ""},
                      {"none", "cycles", {100, 0}, 100, 100, "deadlock"}};
  const std::string page = validation_markdown(validation, "heddle validate a near");
  EXPECT_THAT(page, HasSubstr("Written by `heddle validate a near`, beside A GPU at 1500 MHz.\n"));
  EXPECT_THAT(page, HasSubstr("| cycles of kernels | 1 | 20.0 % | 0.000 | 1.20 x |\n"));
  EXPECT_THAT(page, HasSubstr("| a | x\\|y | 1 | 100 | 120 | +20.0 % |  |"));
  EXPECT_THAT(page, HasSubstr("Microbenchmarks: 1 of 3 within 5 %."));
  EXPECT_THAT(page, HasSubstr("| far | 100 | 94 | -6.0 % | cycles |\n"));
  EXPECT_THAT(page, HasSubstr("| none | 100 |  | deadlock | cycles |\n"));
  validation.kernels.clear();
  EXPECT_THAT(validation_markdown(validation, "c"), Not(HasSubstr("Kernel by kernel")));
}

TEST(Validation, TheMachineRunsAtTheClockOfTheMeasurementUnlessAnotherIsAskedFor) {
  HardwareData data;
  data.core_clock = 1234;
  RunSpec spec;
  spec.settings = {"cores=3"};
  EXPECT_THAT(as_measured(spec, data).settings, ElementsAre("core_clock=1234", "launch_caches=cold", "cores=3"));
}

}  // namespace
}  // namespace heddle
