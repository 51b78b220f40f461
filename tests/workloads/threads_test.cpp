// Cores ahead of each other, on one thread of the host or several: every counter and every byte of memory is what cores
// give that go on cycle by cycle.
#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "gpu/gpu.h"
#include "gpu/presets.h"
#include "stats/timing_stats.h"
#include "support/amount.h"
#include "workloads/workload.h"

namespace heddle::test {
namespace {

struct Left {
  std::vector<KernelStats> launches;
  uint64_t memory = 0;  // its fingerprint
  std::string error;
  bool hangs = false;  // its threads wait for each other
};

// On 0 threads: cycle by cycle.
Left run_with(unsigned threads, const workloads::Workload& workload, std::string_view mechanism,
              std::string_view preset, const std::vector<std::string>& set = {}) {
  GpuOptions options;
  options.mechanism = mechanism;
  options.timed = true;
  options.ahead = threads > 0;
  options.threads = std::max(1U, threads);
  Gpu gpu(make_config(preset, set), options);
  gpu.load(workload.name, workload.ptx());
  Left left;
  try {
    workload.run(gpu, workloads::Size::Tiny);
  } catch (const Error& error) {
    if (error.code() != ExitCode::Refused && error.code() != ExitCode::Deadlock) throw;
    left.error = error.what();
    left.hangs = error.code() == ExitCode::Deadlock;
  }
  left.launches = gpu.launches();
  left.memory = gpu.memory().fingerprint();
  return left;
}

TEST(Threads, change_no_counter_and_no_byte_of_memory) {
  const size_t every = amount(1, 149, 599);  // a prime that divides no number of choices
  size_t n = turn(), compared = 0;
  for (const Preset& preset : all_presets()) {
    if (make_config(preset.name, {}).integer("cores") < 30) continue;
    for (const workloads::Workload& workload : workloads::all())
      for (const MechanismRow& mechanism : mechanisms()) {
        if (mechanism.bound || workload.kind == workloads::Kind::Waits || n++ % every != 0) continue;
        SCOPED_TRACE(std::string(workload.name) + " " + std::string(mechanism.name) + " " + preset.name);
        const Left right = run_with(0, workload, mechanism.name, preset.name);
        if (right.hangs) continue;  // nvrt leans on lockstep, which some do not keep
        for (const unsigned threads : {1U, 2U, 3U}) {
          const Left ahead = run_with(threads, workload, mechanism.name, preset.name);
          EXPECT_EQ(right.error, ahead.error);
          EXPECT_TRUE(right.launches == ahead.launches) << threads << " threads";
          EXPECT_EQ(right.memory, ahead.memory) << threads << " threads";
        }
        ++compared;
      }
  }
  EXPECT_GT(compared, 0U);
}

// Cores whose way out is narrow, or shared, and that push dirty lines out; an L2 that has few places for requests and
// answers.
TEST(Threads, wait_for_room_that_is_not_certain) {
  const std::vector<std::string> narrow{"cores=3",      "sub_cores=4",     "memory_queue=5", "stage_cycles=2",
                                        "code=machine", "l1_bytes=4096",   "l1_sector=32",   "l2_sector=32",
                                        "l2_queue=3",   "branch_latency=7"};
  for (const std::string writes : {"l1_writes=through", "l1_writes=back"})
    for (const std::string queue : {"network_queue=4", "network_queue=16"})
      for (const std::string shared : {"network_concentration=1", "network_concentration=3", "read_group=3"})
        for (const char* const name : {"bfs", "backprop"}) {
          SCOPED_TRACE(writes + " " + queue + " " + shared + " " + name);
          const workloads::Workload& workload = workloads::find(name);
          std::vector<std::string> set = narrow;
          set.insert(set.end(), {writes, queue, shared});
          const Left right = run_with(0, workload, "swi", "default", set);
          EXPECT_FALSE(right.launches.empty()) << right.error;
          for (const unsigned threads : {1U, 2U, 3U})
            EXPECT_TRUE(right.launches == run_with(threads, workload, "swi", "default", set).launches) << threads;
        }
}

// Cores that ask for more in one cycle than their port has places for: of a port of their own (h200), and of one that
// three share, where the first to go must not take what another is sure of.
TEST(Threads, find_no_more_room_than_there_is) {
  for (const std::string preset : {"h200", "tbc-hpca11"})
    for (const std::string queue : {"network_queue=2", "network_queue=6", "network_queue=16"})
      for (const char* const name : {"convsep", "cfd", "bucketsort", "histogram"}) {
        SCOPED_TRACE(preset + " " + queue + " " + name);
        const workloads::Workload& workload = workloads::find(name);
        const Left right = run_with(0, workload, "its", preset, {queue});
        EXPECT_FALSE(right.launches.empty()) << right.error;
        for (const unsigned threads : {1U, 2U}) {
          const Left left = run_with(threads, workload, "its", preset, {queue});
          EXPECT_TRUE(right.launches == left.launches) << threads << left.error;
        }
      }
}

// Networks and caches of all lengths: what cores know ahead hangs on each of these.
TEST(Threads, know_what_comes_whatever_the_way) {
  const std::vector<std::vector<std::string>> ways{{"network_latency=0"},
                                                   {"network_latency=1", "l2_latency=1"},
                                                   {"network_latency=1", "l2_latency=3", "l2_miss_latency=1"},
                                                   {"network_latency=2", "l2_bytes=0"},
                                                   {"network_latency=3", "l2_latency=40", "l2_queue=1"},
                                                   {"network_latency=9", "network_bytes=0", "l2_latency=5"},
                                                   {"network_clock=400", "memory_clock=1777", "l2_latency=7"}};
  for (const std::vector<std::string>& way : ways)
    for (const char* const name : {"bfs", "histogram", "mandelbrot"}) {
      SCOPED_TRACE(way.front() + " " + way.back() + " " + name);
      const workloads::Workload& workload = workloads::find(name);
      std::vector<std::string> set{"cores=7"};
      set.insert(set.end(), way.begin(), way.end());
      const Left right = run_with(0, workload, "pdom", "default", set);
      EXPECT_FALSE(right.launches.empty()) << right.error;
      for (const unsigned threads : {1U, 2U, 3U})
        EXPECT_TRUE(right.launches == run_with(threads, workload, "pdom", "default", set).launches) << threads;
    }
}

class Samples : public Observer {
 public:
  uint32_t wants() const override { return 0; }
  uint64_t sample_every() const override { return 100; }
  void sampled(const Sample& sample) override { taken.push_back(sample); }
  std::vector<Sample> taken;
};

TEST(Threads, are_seen_in_no_sample) {
  for (const char* const preset : {"tbc-hpca11", "capri-isca12", "h200"})
    for (const char* const name : {"bfs", "histogram"}) {
      SCOPED_TRACE(std::string(preset) + " " + name);
      const auto samples = [&](unsigned threads) {
        GpuOptions options;
        options.timed = true;
        options.ahead = threads > 0;
        options.threads = std::max(1U, threads);
        const auto series = std::make_shared<Samples>();
        options.observers.push_back(series);
        Gpu gpu(make_config(preset, {}), options);
        const workloads::Workload& workload = workloads::find(name);
        gpu.load(workload.name, workload.ptx());
        workload.run(gpu, workloads::Size::Tiny);
        return series->taken;
      };
      const std::vector<Sample> right = samples(0);
      EXPECT_GT(right.size(), 10U);
      for (const unsigned threads : {1U, 2U, 3U}) EXPECT_TRUE(right == samples(threads)) << threads << " threads";
    }
}

}  // namespace
}  // namespace heddle::test
