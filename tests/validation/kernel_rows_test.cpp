// Workloads beside what a GPU gave: the rows are what the run counted, and its counts are the kernel's own.
#include <gtest/gtest.h>

#include "run/runner.h"
#include "validation/validation.h"

namespace heddle {
namespace {

constexpr std::string_view kBeside =
    "kind,name,kernel,measure,value,least,most\n"
    "device,A GPU,,core_clock,900,,\n"
    "kernel,reduction0,reduce_interleaved,launches,2,,\n"
    "kernel,reduction0,reduce_interleaved,cycles,1000,,\n"
    "kernel,reduction0,reduce_interleaved,l1_sectors,1000,,\n"
    "kernel,reduction0,reduce_interleaved,registers,16,,\n"
    "kernel,reduction0,reduce_backwards,cycles,1000,,\n"
    "kernel,mum,match,cycles,1000,,\n";

RunSpec small_machine() {
  RunSpec spec;
  spec.program = "reduction0";
  spec.size = "tiny";
  spec.preset = "default";
  spec.settings = {"cores=2", "channels=2", "l1_sector=32", "l2_sector=32"};
  return spec;
}

TEST(ValidatedKernels, AreTheSumsOverTheLaunchesOfTheRun) {
  const HardwareData data = hardware_data_of(kBeside, "x.csv");
  const RunResult run = execute(as_measured(small_machine(), data));
  ASSERT_FALSE(run.failure) << run.failure->message;
  EXPECT_EQ(run.config.integer("core_clock"), 900);
  const std::vector<ValidatedKernel> rows = validate_kernels(data, run);
  ASSERT_EQ(rows.size(), 2U);  // mum was not run
  const ValidatedKernel& row = rows[0];
  EXPECT_EQ(row.failure, "");
  EXPECT_EQ(row.launches, run.launches.size());
  EXPECT_EQ(row.find("cycles")->hardware, 1000);
  EXPECT_EQ(row.find("cycles")->simulated, static_cast<double>(run.timing().cycles));
  EXPECT_GT(row.find("l1_sectors")->simulated, 0);
  EXPECT_EQ(row.find("registers"), nullptr);  // nobody simulates them
  uint64_t spent = 0;
  for (const CycleClass& each : row.spent) spent += each.cycles;
  EXPECT_EQ(spent, run.timing().cycles * 2);  // two cores
  EXPECT_EQ(rows[1].failure, "was not launched");
}

TEST(ValidatedKernels, OfARunThatWasGivenUpSayWhy) {
  const HardwareData data = hardware_data_of(kBeside, "x.csv");
  RunSpec spec = as_measured(small_machine(), data);
  spec.settings.emplace_back("max_cycles=100");
  const RunResult run = execute(spec);
  ASSERT_TRUE(run.failure);
  for (const ValidatedKernel& row : validate_kernels(data, run)) EXPECT_EQ(row.failure, run.failure->message);
}

}  // namespace
}  // namespace heddle
