// Every mechanism on cores of four sub-cores: what it computes is what it computes anywhere, skipping idle time changes
// no counter, and watching none.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "support/amount.h"
#include "support/workload_run.h"

namespace heddle::test {
namespace {

const std::vector<std::string> kFour{"sub_cores=4"};
const std::vector<std::string> kToday{"sub_cores=4",          "memory_queue=5",    "address_interval=2",
                                      "stage_cycles=2",       "code=machine",      "coalesce_bytes=128",
                                      "l1_allocate=fill",     "l1_sector=32",      "l2_sector=32",
                                      "shared_latency=20",    "branch_latency=7",  "cores=3",
                                      "shared_unit=128",      "block_clock=200",   "block_latency=30",
                                      "warp_interval=3",      "icache_bytes=2048", "icache_near_bytes=512",
                                      "icache_ahead=4",       "icache_groups=2",   "icache_group_clock=300",
                                      "instruction_bytes=16", "launch_code=l2",    "block_end_clock=150",
                                      "store_latency=40",     "store_pass=1"};

class OnSubCores : public testing::TestWithParam<std::string_view> {};

TEST_P(OnSubCores, computes_what_it_computes_anywhere) {
  const size_t every = amount(1, 7, 23);
  size_t n = turn();
  for (const workloads::Workload& workload : scripted::workloads_that_end()) {
    if (workload.lockstep > 0 || n++ % every != 0) continue;  // not all mechanisms keep lockstep: contract_test
    SCOPED_TRACE(workload.name);
    scripted::WorkloadShape shape;
    shape.machine = "default";
    shape.set = kFour;
    try {
      const scripted::WorkloadRun run = scripted::run_workload(workload, GetParam(), shape);
      EXPECT_TRUE(run.passed) << run.detail;
      EXPECT_TRUE(run.memory == scripted::run_workload(workload, "pdom", {}).memory);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::Refused) << error.what();
    }
  }
}

TEST_P(OnSubCores, skipping_idle_time_changes_no_counter) {
  for (const char* name : {"bfs", "reduction0"}) {
    const workloads::Workload& workload = workloads::find(name);
    const auto launches = [&](bool skip) {
      GpuOptions options;
      options.mechanism = GetParam();
      options.timed = true;
      options.skip = skip;
      Gpu gpu(make_config("default", kToday), options);
      gpu.load(workload.name, workload.ptx());
      workload.run(gpu, workloads::Size::Tiny);
      return gpu.launches();
    };
    EXPECT_EQ(launches(true), launches(false)) << name;
  }
}

std::vector<std::string_view> machines_there_are() {
  std::vector<std::string_view> names;
  for (const MechanismRow& row : mechanisms())
    if (!row.bound) names.push_back(row.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Mechanisms, OnSubCores, testing::ValuesIn(machines_there_are()), [](const auto& info) {
  std::string name;
  for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name + fmt::format("_{}", info.index);
});

}  // namespace
}  // namespace heddle::test
