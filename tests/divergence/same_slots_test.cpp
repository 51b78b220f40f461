// Mechanisms that only change the order in which the paths of a warp go issue exactly what pdom issues, as many threads
// at a time, whatever the kernel.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "base/error.h"
#include "gpu/gpu.h"
#include "support/amount.h"
#include "support/random_kernel.h"
#include "support/workload_run.h"

namespace heddle::scripted::same_slots_test {
namespace {

struct Order {
  const char* mechanism;
  std::vector<std::string> set{};
};
const Order kInAnotherOrder[] = {{"dual-path"},
                                 {"multi-path"},
                                 {"aware", {"recv_timeout=0"}},  // else threads that wait for long go on alone
                                 {"dws", {"reconverge=stack", "memory=none", "split_entries=1000"}},
                                 {"dws", {"reconverge=stack", "memory=none", "split_entries=5"}}};
// Who comes first takes a thread's work: nvrt's lanes race for rays, facedetect's for places in a queue.
constexpr std::string_view kOrderIsWork[] = {"nvrt", "facedetect"};

struct Issues {
  uint64_t slots = 0, threads = 0, branches = 0, divergent = 0;
  std::array<uint64_t, 33> by_count{};  // slots with so many threads
  bool operator==(const Issues&) const = default;
};
void PrintTo(const Issues& issues, std::ostream* out) {
  *out << fmt::format("{} slots, {} thread instructions, {} branches, {} of them divergent; slots by threads: {}",
                      issues.slots, issues.threads, issues.branches, issues.divergent, fmt::join(issues.by_count, " "));
}

Issues issues_of(const KernelStats& stats) {
  return {stats.issue_slots, stats.thread_instructions, stats.branches, stats.divergent_branches, stats.active_threads};
}

Issues issues_of(const test::RandomKernel& kernel, const Order& order, bool timed) {
  std::vector<std::string> set = order.set;
  set.push_back(fmt::format("warp_size={}", kernel.warp_size));
  set.push_back(fmt::format("simd_width={}", std::min(8U, kernel.warp_size)));
  GpuOptions options;
  options.mechanism = order.mechanism;
  options.timed = timed;
  Gpu gpu(make_config("default", set), options);
  gpu.load("random.ptx", kernel.ptx());
  Buffer<uint32_t> out(gpu, size_t{kernel.blocks} * kernel.threads * test::RandomKernel::kWords, "out");
  gpu.launch("k", {{kernel.blocks}, {kernel.threads}}, Arguments(out.address()));
  Issues issues = issues_of(gpu.total());
  // A warp-wide instruction is charged with the threads that come last.
  if (kernel.ptx().find("shfl.sync") != std::string::npos) issues.by_count = {};
  return issues;
}

TEST(SameSlots, InRandomKernels) {
  for (uint64_t seed = 1; seed <= test::amount(2000, 200, 30); ++seed) {
    const test::RandomKernel kernel = test::random_kernel(seed);
    const Issues right = issues_of(kernel, {"pdom"}, false);
    for (const Order& order : kInAnotherOrder)
      for (bool timed : {false, true})
        ASSERT_EQ(issues_of(kernel, order, timed), right) << order.mechanism << ", seed " << seed << ", " << timed;
  }
}

TEST(SameSlots, InTheWorkloads) {
  const std::vector<workloads::Workload> all = selected_workloads();
  for (size_t i = 0; i < all.size(); i += test::amount(1, 1, 9)) {
    if (std::count(std::begin(kOrderIsWork), std::end(kOrderIsWork), all[i].name) > 0) continue;
    const Issues right = issues_of(run_workload(all[i], "pdom", {}).total);
    for (const Order& order : kInAnotherOrder)
      EXPECT_EQ(issues_of(run_workload(all[i], order.mechanism, {.set = order.set}).total), right)
          << all[i].name << " under " << order.mechanism;
  }
}

}  // namespace
}  // namespace heddle::scripted::same_slots_test
