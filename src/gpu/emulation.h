// The emulation machine: one core without a clock. It charges one step per issue slot.
//
// A warp runs until its mechanism must be asked, for a quantum, or for a trip of a loop that waits for others, so that
// threads that spin for others do not spin for ever; mechanisms that interleave are stepped one instruction at a time,
// chosen by the scheduler. Blocks are taken in order; as many are resident as occupancy allows. Where none of these
// ends for long they may be waiting for others, which a GPU would have on other cores: then as many are let in as may
// be (resident_blocks).
#pragma once

#include <memory>
#include <vector>

#include "core/spin_detector.h"
#include "gpu/gpu_options.h"
#include "schedule/registry.h"

namespace heddle {

class Emulation {
 public:
  Emulation(const Kernel& kernel, const LaunchInfo& launch, GlobalMemory& memory, std::vector<std::byte> constants,
            const Config& config, const GpuOptions& options, bool cooperative);

  void run();  // statistics are good, as far as it came, even if it throws
  const KernelStats& stats() const { return stats_; }
  Context& context() { return engine_.context(); }

 private:
  struct Room {  // blocks that may be resident: now, and if those do not end
    unsigned now, most;
    static Room of(const Kernel& kernel, const LaunchInfo& launch, const Config& config, bool cooperative);
  };

  void admit_blocks();
  bool admit_all();  // false: there are no more
  void run_blocks();
  void step_scheduled();
  void run_warp(WarpId id, unsigned budget);
  void issue_together(WarpId id);  // and its companions
  void gather();
  void check_limits();
  [[noreturn]] void give_up(std::string text);
  void resolve_stall();

  const Kernel& kernel_;
  const GpuOptions& options_;
  Room room_;
  WarpEngine engine_;
  KernelStats stats_;
  const uint64_t grid_blocks_, max_slots_;
  SpinDetector spin_;
  uint64_t next_block_ = 0;
  std::vector<BlockId> running_;
  std::vector<BlockId> free_blocks_;
  const Traits traits_;
  const bool interleave_;  // one instruction at a time, through the scheduler
  const bool simple_;      // the fast path may be taken
  std::unique_ptr<Scheduler> scheduler_;
  WarpSet first_;              // the ready warps with the smallest key
  std::vector<bool> asks_at_;  // by PC, if any: who waits for others asks again, and lets them run before
  const uint64_t patience_;
  uint64_t last_end_ = 0;  // slots when a block ended
};

}  // namespace heddle
