// The cycle-level machine: the cores of the GPU, one launch at a time, on the memory system that lives on between
// launches.
//
// Time goes from event to event: every part says when it next has something to do, and nobody is ticked before. At one
// time the order is DRAM, L2, replies, cores by their number, requests (MemorySystem says why). Blocks go to the cores
// in turn, as many as fit; a core that has finished one gets the next at once. With block_interval that lies between
// two blocks of one core.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/core.h"
#include "core/spin_detector.h"
#include "gpu/gpu_options.h"
#include "gpu/wake_wheel.h"

namespace heddle {

class CycleMachine {
 public:
  // `now` is the GPU's time; run() moves it on.
  CycleMachine(const Kernel& kernel, const LaunchInfo& launch, GlobalMemory& memory,
               const std::vector<std::byte>& constants, const Config& config, const GpuOptions& options,
               bool cooperative, MemorySystem& system, const Clocks& clocks, Tick& now);

  void run();  // statistics are good, as far as it came, even if it throws
  const KernelStats& stats() const { return stats_; }
  std::vector<Context*> contexts();

 private:
  struct Site {  // a core and its threads
    std::unique_ptr<WarpEngine> engine;
    std::unique_ptr<Core> core;
    std::vector<BlockId> free;
    CoreCycle next_start{0};  // a block is not started before
  };

  void fill_cores();
  void start_next_block(unsigned core, CoreCycle cycle);
  Tick next_time() const;
  void step();
  void tick_cores(CoreCycle cycle);
  void tick_core(unsigned index, CoreCycle cycle);
  bool takes_block(const Site& site) const;
  CoreCycle next_of(const Site& site) const;
  bool done() const;
  void check_limits();
  uint64_t resident_blocks() const;
  void take_samples(CoreCycle upto);
  Sample sample_at(CoreCycle cycle) const;
  void gather();
  void check_cores() const;
  void check_breakdown() const;
  uint64_t issue_slots() const;
  [[noreturn]] void report(const std::string& what);

  const Kernel& kernel_;
  const LaunchInfo launch_;
  const GpuOptions& options_;
  const CoreParameters parameters_;
  const Clocks& clocks_;
  MemorySystem& system_;
  Tick& now_;
  std::unique_ptr<RegisterUses> uses_;
  std::vector<Site> sites_;
  KernelStats stats_;
  const CoreCycle begin_, start_;  // of the launch, and of its first block: launch_overhead lies between
  const uint64_t block_interval_;
  WakeWheel wheel_;  // of the cores
  const MemoryStats memory_before_;
  struct Series {
    Observer* observer;
    CoreCycle next;
  };
  std::vector<Series> series_;  // those who want samples, and when
  uint64_t next_block_ = 0;
  const uint64_t grid_blocks_;
  const uint64_t max_slots_;
  SpinDetector spin_;
  std::vector<const WarpEngine*> engines_;  // of sites_
  const uint64_t max_cycles_, stall_limit_, check_every_;
  uint64_t slots_seen_ = 0;  // by the watchdog
  CoreCycle progress_at_{0};
  Tick next_check_{0};
};

}  // namespace heddle
