// A core without a clock: it charges one step per issue slot. What the emulation machine (emulation.h) is made of.
//
// A warp runs until its mechanism must be asked, for a quantum, or for a trip of a loop that waits for others, so that
// threads that spin for others do not spin for ever; mechanisms that interleave are stepped one instruction at a time,
// chosen by the scheduler. Blocks are taken in order; as many are resident as occupancy allows. Where none of these
// ends for long they may be waiting for others, which a GPU would have on other cores: then as many are let in as may
// be (resident_blocks).
//
// Life cycle: run() for some blocks, until all of them have ended; again for others. What those do is the same whoever
// was there before, unless the mechanism learns (Traits).
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/spin_detector.h"
#include "gpu/gpu_options.h"
#include "schedule/registry.h"

namespace heddle {

// What is emulated. It stays where it is until the launch has ended.
struct EmulatedLaunch {
  const Kernel& kernel;
  const LaunchInfo& info;
  GlobalMemory& memory;
  const ConstantPlane& constants;
  const Config& config;
  bool cooperative = false;
  std::function<void(Context&)> prepare;     // the threads of each core
  std::function<Observers()> new_observers;  // of what every launch has, for a core that others must not disturb
};

class EmulatedCore {
 public:
  struct Room {  // blocks that may be resident: now, and if those do not end
    unsigned now, most;
    static Room of(const EmulatedLaunch& launch);
  };
  EmulatedCore(const EmulatedLaunch& launch, const GpuOptions& options, Room room);

  // These blocks of the grid; if they spin for others, all behind them, too.
  void run(uint64_t first, uint64_t end);
  uint64_t next_block() const { return next_block_; }                 // the first that has not started
  void leave_when(const std::atomic<bool>& flag) { leave_ = &flag; }  // run() then throws a Conflict
  void note_elapsed(uint64_t slots) { elapsed_ += slots; }            // that others have spent on this launch
  uint64_t slots() const { return elapsed_ + engine_.slots(); }
  // Statistics are good, as far as it came, even if run() threw.
  KernelStats gather();
  WarpEngine& engine() { return engine_; }
  bool interleaves() const { return interleave_; }

 private:
  void admit_blocks();
  bool admit_all();  // false: there are no more
  void run_blocks();
  void run_scheduled();
  void step_scheduled(uint64_t until);  // slots: one step, and those that follow of themselves
  bool run_round(std::span<const uint32_t> positions, uint64_t until);
  void run_warp(WarpId id, unsigned budget);
  bool asks_again(WarpId id) const;
  bool run_in_turn();          // false: nothing has happened
  uint64_t unchecked() const;  // slots before a limit may be met, at most a quantum
  WarpId companion_of(WarpId id);
  bool goes_together(WarpId id, WarpId companion);  // quietly; else some of them have not gone
  void issue_rest();                                // these
  void issue_alone(WarpId id);
  void catch_up_around(WarpId id) {
    if (puts_off_) engine_.catch_up_around(id);
  }
  void add_companions();  // all but the first
  bool goes_quietly(WarpId id, bool beside);
  bool steps_quietly(WarpId id, bool beside);  // it is not put off
  uint64_t calm_until() const;                 // slots
  void check_limits();
  [[noreturn]] void give_up(std::string text);
  void resolve_stall();

  const Kernel& kernel_;
  const GpuOptions& options_;
  Room room_;
  WarpEngine engine_;
  const uint64_t grid_blocks_, max_slots_;
  SpinDetector spin_;
  uint64_t next_block_ = 0, end_ = 0;
  uint64_t elapsed_ = 0;
  const std::atomic<bool>* leave_ = nullptr;
  std::vector<BlockId> running_;
  std::vector<BlockId> free_blocks_;
  const Traits traits_;
  const bool interleave_;   // one instruction at a time, through the scheduler
  const bool simple_;       // the fast path may be taken
  const bool quiet_jumps_;  // the same of branches, though nobody hears that they are under way
  const bool in_turn_;      // that of mechanisms with wishes
  const bool by_rows_;      // nobody hears of each instruction: what only computes may be done by rows,
  const bool puts_off_;     // or be put off,
  const bool goes_alone_;   // or executes them before they are issued
  const uint64_t rows_per_block_;
  std::unique_ptr<Scheduler> scheduler_;
  WarpSet first_;   // the ready warps with the smallest key
  WarpSet others_;  // who may still become companions
  struct Step {
    std::array<WarpId, kRow> warps;
    size_t count = 0, gone = 0;
  };
  Step step_;                  // who goes together, and how many have
  bool follows_ = false;       // a run goes on behind branches that all threads take one way
  std::vector<bool> asks_at_;  // by PC, if any: who waits for others asks again, and lets them run before
  const uint64_t patience_;
  uint64_t last_end_ = 0;  // slots when a block ended
};

}  // namespace heddle
