// What holds between the mechanisms that form warps, over all workloads.
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "support/formed.h"
#include "support/workload_run.h"

namespace heddle::scripted::forming_test {
namespace {

class FormingWorkload : public testing::TestWithParam<workloads::Workload> {
 protected:
  KernelStats stats(const char* mechanism, WorkloadShape shape = {}) const {
    const WorkloadRun result = run_workload(GetParam(), mechanism, shape);
    EXPECT_TRUE(result.passed || GetParam().name == "nvrt") << mechanism << ": " << result.detail;
    return result.total;
  }
};

TEST_P(FormingWorkload, NoThreadLeavesItsHomeLane) {
  if (GetParam().name == "nvrt") return;  // needs warps of 32
  for (const char* mechanism : {"tbc", "tbc+", "capri", "lwm", "dwf", "dwf-wb"})
    for (const char* lanes : {"none", "balanced"})
      EXPECT_TRUE(run_workload(GetParam(), mechanism, {{"warp_size=8"}, lanes, expect_at_home}).passed) << mechanism;
}

TEST_P(FormingWorkload, MimdIsNoWorseThanTbcIdealAndThatNoWorseThanTbc) {
  if (GetParam().name == "nvrt") return;  // who does which work depends on the order
  const auto efficiency = [&](const char* mechanism) { return stats(mechanism).simd_efficiency(32); };
  const double ideal = efficiency("tbc-ideal");
  EXPECT_GE(efficiency("mimd"), ideal);
  EXPECT_GE(ideal, efficiency("tbc"));
}

TEST_P(FormingWorkload, TbcPlusIsTbcThatDoesNotWaitWhereNobodyCanPart) {
  EXPECT_TRUE(stats("tbc+", {{"wait_at=all"}}) == stats("tbc", {{"wait_at=not_uni"}}));
}

TEST_P(FormingWorkload, WhereToWaitChangesNoSlotWithoutAClock) {
  if (GetParam().name == "nvrt") return;
  EXPECT_EQ(stats("tbc", {{"wait_at=all"}}).issue_slots, stats("tbc", {{"wait_at=not_uni"}}).issue_slots);
}

// On the barrel core of the large-warp paper a large warp of one row is a warp.
TEST_P(FormingWorkload, ALargeWarpOfOneRowIsAWarpOnTheBarrelCore) {
  WorkloadShape shape;
  shape.machine = "large-warp-2010";
  KernelStats pdom = stats("pdom", shape);
  shape.set = {"large_warp_size=32"};
  KernelStats lwm = stats("lwm", shape);
  EXPECT_EQ(pdom.timing->cycles, lwm.timing->cycles);
  EXPECT_EQ(pdom.issue_slots, lwm.issue_slots);
  EXPECT_EQ(pdom.active_threads, lwm.active_threads);
  EXPECT_TRUE(pdom.timing == lwm.timing);
}

INSTANTIATE_TEST_SUITE_P(All, FormingWorkload, testing::ValuesIn(selected_workloads()),
                         [](const auto& info) { return std::string(info.param.name); });

// nvcc and clang write every jump as bra.uni.
TEST(Forming, ToWaitEverywhereIsToWaitMoreOftenAndTakesTime) {
  unsigned more = 0, slower = 0;
  for (const char* name : {"bfs", "backprop", "lps", "mandelbrot"}) {
    const auto run = [&](const char* wait_at) {
      WorkloadShape shape;
      shape.set = {wait_at};
      shape.machine = "capri-isca12";
      shape.scores = true;
      return run_workload(workloads::find(name), "tbc", shape).total;
    };
    const KernelStats all = run("wait_at=all"), some = run("wait_at=not_uni");
    EXPECT_GE(all.decisions->stall_bypass, some.decisions->stall_bypass) << name;
    more += all.decisions->stall_bypass > some.decisions->stall_bypass ? 1 : 0;
    slower += all.timing->cycles > some.timing->cycles ? 1 : 0;
  }
  EXPECT_GT(more, 0U);
  EXPECT_GT(slower, 0U);
}

TEST(Forming, CompactionIsOffForTheKernelsNamed) {
  const auto slots = [](const char* set) {
    return run_workload(workloads::find("bfs"), "tbc", {{set}}).total.issue_slots;
  };
  const uint64_t on = slots("compaction=true"), off = slots("compaction=false");
  EXPECT_LT(on, off);
  EXPECT_EQ(slots("uncompacted=expand_frontier,advance_frontier"), off);
  EXPECT_EQ(slots("uncompacted=none_of_them"), on);
  const uint64_t one = slots("uncompacted=expand_frontier");
  EXPECT_GT(one, on);
  EXPECT_LE(one, off);
}

TEST(Forming, TheRayTracerIsRightWhereStaticWarpsStayInStep) {
  const auto passes = [](const char* mechanism, std::vector<std::string> set) {
    return run_workload(workloads::find("nvrt"), mechanism, {std::move(set)}).passed;
  };
  EXPECT_TRUE(passes("pdom", {}));
  EXPECT_TRUE(passes("dwf-wb", {}));
  EXPECT_TRUE(passes("tbc", {}));
  EXPECT_TRUE(passes("tbc", {"compaction=false"}));
  EXPECT_TRUE(passes("tbc", {"lcp=true"}));
}

}  // namespace
}  // namespace heddle::scripted::forming_test
