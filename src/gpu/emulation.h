// The emulation machine: one core without a clock. It charges one step per issue slot.
//
// A warp runs until its mechanism must be asked, or for a quantum, so that threads that spin for others do not spin
// for ever; mechanisms that interleave are stepped one instruction at a time, smallest key first. Blocks are taken in
// order; as many are resident as occupancy allows.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "divergence/registry.h"
#include "divergence/rendezvous.h"
#include "exec/context.h"
#include "gpu/machine_keys.h"
#include "schedule/registry.h"
#include "stats/kernel_stats.h"

namespace heddle {

// Called for every issue slot of --trace-steps.
struct Step {
  uint64_t slot;
  const Warp& warp;
  const Group& group;
  const Kernel& kernel;
  const Mechanism& mechanism;
  const Host& host;
};
using Tracer = std::function<void(const Step&)>;

struct EmulationOptions {
  std::string mechanism = "pdom";
  LaneMap lanes = LaneMap::none();
  Tracer tracer;
  const volatile bool* stop = nullptr;        // set by a signal: give up, keep what was measured
  std::string schedule = "rr";                // asked where warps are interleaved
  std::atomic<uint64_t>* progress = nullptr;  // issue slots of the launch under way, for a person who waits
};

// How many blocks fit a core at once. Throws Error (BadLaunch) if not even one does.
unsigned occupancy(const Kernel& kernel, const LaunchInfo& launch, const Config& config);

class Emulation {
 public:
  Emulation(const Kernel& kernel, const LaunchInfo& launch, GlobalMemory& memory, std::vector<std::byte> constants,
            const Config& config, const EmulationOptions& options, bool cooperative);

  void run();  // statistics are good, as far as it came, even if it throws
  const KernelStats& stats() const { return stats_; }
  Context& context() { return context_; }

 private:
  void admit_blocks();
  void retire_block(BlockSlot slot);
  void step_scheduled();
  void run_warp(WarpId id, unsigned budget);
  unsigned run_plain(Warp& warp, unsigned budget);  // the fast path: slots used
  void issue_one(WarpId id);                        // any instruction, any grouping
  void execute_plain(const Instruction& instruction, const Group& group);
  void execute_control(WarpId id, const Instruction& instruction, std::span<const Group> groups);
  void count_branch(const Instruction& instruction, std::span<const Outcome> outcomes);
  void leave(BlockSlot slot, unsigned threads);
  void charge(const Group& group, uint64_t slots = 1);
  void trace(const Warp& warp, const Group& group);
  void check_limits();
  void resolve_stall();
  [[noreturn]] void report_deadlock();

  const Kernel& kernel_;
  const LaunchInfo launch_;
  const EmulationOptions options_;
  Context context_;
  Host host_;
  std::unique_ptr<Mechanism> mechanism_;
  Rendezvous rendezvous_;
  KernelStats stats_;
  std::vector<uint64_t> branches_at_, diverged_at_;  // by PC
  unsigned resident_, rows_per_block_;
  uint64_t next_block_ = 0, grid_blocks_, max_slots_;
  std::vector<BlockSlot> running_;  // occupied slots
  std::vector<BlockSlot> free_slots_;
  std::vector<unsigned> live_threads_;  // by slot
  bool simple_ = true;                  // the fast path may be taken
  bool interleave_ = false;             // one instruction at a time, through the scheduler
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<Candidate> candidates_;
  std::vector<Group> groups_;  // of the instruction under way
  std::vector<std::vector<Target>> targets_;
};

}  // namespace heddle
