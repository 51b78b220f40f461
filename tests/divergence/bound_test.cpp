// mimd: the bound that no mechanism gets below.
#include <gtest/gtest.h>

#include "support/scripted.h"
#include "support/workload_run.h"

namespace heddle::scripted::bound_test {
namespace {

TEST(Bound, FillsEverySlotButTheLast) {
  KernelStats stats;
  stats.thread_instructions = 70;
  stats.issue(100, 1);
  stats.phantom_slots = stats.phantom_threads = 30;
  stats.branches = stats.divergent_branches = 5;
  stats.branch_records.resize(1);
  stats.fill_slots(32);
  EXPECT_EQ(stats.issue_slots, 3U);  // ceil(70 / 32)
  EXPECT_EQ(stats.active_slots, 70U);
  EXPECT_EQ(stats.active_threads[32], 2U);
  EXPECT_EQ(stats.active_threads[6], 1U);
  EXPECT_EQ(stats.active_threads[1], 0U);
  EXPECT_EQ(stats.phantom_slots + stats.phantom_threads + stats.branches + stats.divergent_branches, 0U);
  EXPECT_TRUE(stats.branch_records.empty());
}

TEST(Bound, IsFullWhereTheThreadInstructionsAreAMultipleOfTheWarp) {
  KernelStats stats;
  stats.thread_instructions = 64;
  stats.fill_slots(8);
  EXPECT_EQ(stats.issue_slots, 8U);
  EXPECT_DOUBLE_EQ(stats.simd_efficiency(8), 1.0);
}

TEST(Bound, IsAStatisticOfTheThreadInstructionsAlone) {
  for (const char* name : {"bfs", "mandelbrot", "recursion", "indirect"}) {
    const WorkloadRun mimd = run_workload(workloads::find(name), "mimd", {}),
                      pdom = run_workload(workloads::find(name), "pdom", {});
    EXPECT_TRUE(mimd.passed) << name;
    EXPECT_TRUE(mimd.memory == pdom.memory) << name;
  }
}

TEST(Bound, HasNoCycles) {
  GpuOptions options;
  options.mechanism = "mimd";
  options.timed = true;
  Gpu gpu(make_config("default", {}), options);
  gpu.load("test", ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { exit; }");
  try {
    gpu.launch("k", {{1, 1, 1}, {32, 1, 1}, 0, false}, Arguments());
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Refused);
    EXPECT_NE(std::string(error.what()).find("--emulate"), std::string::npos);
  }
}

}  // namespace
}  // namespace heddle::scripted::bound_test
