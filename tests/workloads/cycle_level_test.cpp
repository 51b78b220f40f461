// What must not change a run with a clock, and what such a run must agree on with others, over the workloads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "gpu/gpu.h"
#include "schedule/registry.h"
#include "support/amount.h"
#include "workloads/workload.h"

namespace heddle::test::cycle_level_test {
namespace {

struct How {
  std::string_view workload, mechanism = "pdom", preset = "tbc-hpca11", schedule = "rr";
  bool skip = true, timed = true;
  std::vector<std::string> set{};
};

std::vector<KernelStats> launches_of(const How& run) {
  GpuOptions options;
  options.mechanism = run.mechanism;
  options.schedule = run.schedule;
  options.timed = run.timed;
  options.skip = run.skip;
  if (run.timed) options.instruments.add("sample", 500);
  Gpu gpu(make_config(run.preset, run.set), options);
  const workloads::Workload& workload = workloads::find(run.workload);
  gpu.load(workload.name, workload.ptx());
  workload.run(gpu, workloads::Size::Tiny);
  return gpu.launches();
}

// "" or the first counter of the first launch that differs, roughly.
std::string difference(const std::vector<KernelStats>& a, const std::vector<KernelStats>& b) {
  if (a.size() != b.size()) return "number of launches";
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const TimingStats &s = *a[i].timing, &t = *b[i].timing;
    const auto which = [&](bool same, std::string_view name) { return same ? "" : fmt::format(" {}", name); };
    return fmt::format("launch {} of {}: {} and {} cycles;{}{}{}{}{}", i, a[i].kernel, s.cycles, t.cycles,
                       which(s.cores == t.cores, "cores"), which(s.memory.l2 == t.memory.l2, "L2"),
                       which(s.memory.dram == t.memory.dram, "DRAM"),
                       which(s.memory.network == t.memory.network, "network"),
                       which(s.samples == t.samples, "samples"));
  }
  return "";
}

struct Product {
  std::string_view mechanism, workload;
  std::string_view preset;
};

bool may_never_end(const MechanismRow& mechanism, const workloads::Workload& workload) {
  if (workload.kind == workloads::Kind::Waits) return !mechanism.fair;
  // Lanes that pass by lane 0 trace the same rays again and again.
  return mechanism.name == "implicit-stack" && workload.name == "nvrt";
}

std::vector<Product> product() {
  std::vector<Product> result;
  // Primes that divide no number of choices: 29 meets every mechanism on every preset, 61 each of them somewhere, and
  // both every workload.
  const size_t every = amount(1, 29, 61);
  size_t n = 0;
  for (const workloads::Workload& workload : workloads::all())
    for (const MechanismRow& mechanism : mechanisms())
      for (std::string_view preset : {"tbc-hpca11", "large-warp-2010", "default", "capri-isca12"})
        if (n++ % every == 0 && !may_never_end(mechanism, workload))
          result.push_back({mechanism.name, workload.name, preset});
  return result;
}

TEST(CycleLevel, skipping_idle_time_changes_no_counter) {
  for (const Product& p : product()) {
    How run{p.workload, p.mechanism, p.preset};
    try {
      const std::vector<KernelStats> skipping = launches_of(run);
      run.skip = false;
      EXPECT_EQ(difference(skipping, launches_of(run)), "") << p.workload << " " << p.mechanism << " " << p.preset;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::Refused) << error.what();
    }
  }
}

TEST(CycleLevel, the_same_run_twice_counts_the_same) {
  for (const char* workload : {"bfs", "histogram", "lps"})
    for (const char* mechanism : {"pdom", "tbc", "dwf"}) {
      const How run{workload, mechanism};
      EXPECT_EQ(difference(launches_of(run), launches_of(run)), "") << workload << " " << mechanism;
    }
}

TEST(CycleLevel, two_level_with_one_group_is_round_robin_cycle_for_cycle) {
  for (const workloads::Workload& workload : workloads::all()) {
    if (workload.kind == workloads::Kind::Waits) continue;
    const How rr{workload.name, "pdom", "large-warp-2010"};
    How one_group = rr;
    one_group.schedule = "two-level";
    one_group.set = {"fetch_group=1024"};
    EXPECT_EQ(difference(launches_of(rr), launches_of(one_group)), "") << workload.name;
  }
}

// On warps of 8; nvrt leans on 32 threads in lockstep, and is right with those.
TEST(CycleLevel, every_workload_is_right_on_the_machine_to_teach_with) {
  for (const workloads::Workload& workload : workloads::all()) {
    GpuOptions options;
    options.timed = true;
    options.mechanism = "its";  // which runs those that wait, too
    std::vector<std::string> set;
    if (workload.lockstep > 0) set.push_back(fmt::format("warp_size={}", workload.lockstep));
    Gpu gpu(make_config("teaching", set), options);
    gpu.load(workload.name, workload.ptx());
    const workloads::Check result = workload.run(gpu, workloads::Size::Tiny);
    EXPECT_TRUE(result.passed) << workload.name << ": " << result.detail;
  }
}

TEST(CycleLevel, every_scheduler_runs_every_workload) {
  for (const SchedulerRow& scheduler : schedulers())
    for (const char* workload : {"bfs", "reduction0", "lps"}) {
      const How run{workload, "pdom", "tbc-hpca11", scheduler.name};
      EXPECT_NO_THROW(launches_of(run)) << scheduler.name << " " << workload;
    }
}

// Which thread does what depends on who comes first.
bool races_for_work(std::string_view workload) {
  return workload == "nvrt" || workload == "bfs" || workload == "mandelbrot" || workload == "facedetect";
}

// Static warps diverge and meet at the same places whatever the clock says.
TEST(CycleLevel, pdom_issues_the_same_slots_as_in_emulation) {
  for (const workloads::Workload& workload : workloads::all()) {
    if (races_for_work(workload.name) || workload.kind == workloads::Kind::Waits) continue;
    const How timed{workload.name};
    How emulated = timed;
    emulated.timed = false;
    const std::vector<KernelStats> a = launches_of(timed), b = launches_of(emulated);
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].issue_slots, b[i].issue_slots) << workload.name;
      EXPECT_EQ(a[i].active_threads, b[i].active_threads) << workload.name;
      EXPECT_EQ(a[i].branch_records, b[i].branch_records) << workload.name;
    }
  }
}

TEST(CycleLevel, issue_cycles_are_issue_slots_times_their_interval) {
  for (const char* preset : {"tbc-hpca11", "capri-isca12"})
    for (const KernelStats& launch : launches_of({"bfs", "pdom", preset})) {
      const CoreStats all = launch.timing->all_cores();
      const uint64_t interval = std::string_view(preset) == "tbc-hpca11" ? 4 : 1;
      for (unsigned n = 0; n <= 32; ++n) EXPECT_EQ(all.issue_cycles[n], interval * launch.active_threads[n]);
    }
}

TEST(CycleLevel, samples_end_at_what_the_launch_counted) {
  for (const KernelStats& launch : launches_of({"lps"})) {
    const TimingStats& timing = *launch.timing;
    ASSERT_FALSE(timing.samples.empty());
    uint64_t before = 0;
    for (const Sample& sample : timing.samples) {
      EXPECT_EQ(sample.cycle, before + 500);
      EXPECT_GE(sample.cores.cycles(), 30 * sample.cycle)
          << "each core up to the sample, or the end of its instruction";
      EXPECT_LE(sample.cores.cycles(), 30 * (sample.cycle + 4));
      before = sample.cycle;
    }
    EXPECT_LE(timing.samples.back().issue_slots, launch.issue_slots);
    EXPECT_LT(timing.cycles - before, 500U);
  }
}

}  // namespace
}  // namespace heddle::test::cycle_level_test
