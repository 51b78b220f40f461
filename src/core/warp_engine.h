// The threads of one core, their grouping, and what an issued instruction does to both. Machines drive it: the
// emulation machine without a clock, the timed core with one.
//
// Life cycle: one per core and launch. start_block() for each block that becomes resident. Then, for every warp that is
// issued: groups_of() says which groups carry its next instruction, execute() does a plain instruction for one of them,
// and complete() tells grouping (and, for control, barriers and warp-wide instructions, does the work) when the
// instruction is done. Blocks all of whose threads have left are handed to block_done.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/pc_meter.h"
#include "divergence/registry.h"
#include "divergence/rendezvous.h"
#include "divergence/support/compaction_census.h"
#include "divergence/support/hindsight.h"
#include "exec/context.h"
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

struct EngineOptions {
  std::string mechanism = "pdom";
  LaneMap lanes = LaneMap::none();
  Tracer tracer;
  bool taint = false;    // follow where values come from
  bool census = false;   // count how well branches compact, where the mechanism is block-wide
  bool scores = false;   // judge with hindsight whether warps should have waited at branches
  bool profile = false;  // count by instruction
};

class WarpEngine {
 public:
  WarpEngine(const Kernel& kernel, const LaunchInfo& launch, GlobalMemory& memory, std::vector<std::byte> constants,
             const Config& config, const EngineOptions& options, unsigned resident_blocks);

  void start_block(BlockSlot slot, uint64_t order);  // the order-th block of the grid
  unsigned resident() const { return resident_; }
  unsigned live_threads(BlockSlot slot) const { return live_threads_[slot]; }

  // The groups that carry the warp's next instruction, good until the next call.
  std::span<const Group> groups_of(WarpId warp);
  void charge(const Warp& warp, const Group& group) { charge(warp, group, warp.pc, 1); }
  // The same for so many neighbouring plain instructions from `first` on.
  void charge(const Warp& warp, const Group& group, Pc first, uint64_t slots);
  // Is the group charged when it is issued? A warp-wide instruction is when it is executed.
  static bool charged_at_issue(const Instruction& instruction, const Group& group) {
    return instruction.flow != Flow::Sync || group.kind == Group::Kind::Phantom;
  }
  void execute(const Instruction& instruction, const Group& group);  // a plain instruction; context.pc is set
  // The instruction at warp.pc is done, for all its groups.
  void complete(WarpId warp);

  // Nobody can go on: is there another path? False: never.
  bool yield(std::span<const BlockSlot> running);
  void explain(BlockSlot slot, std::string& text) const;
  void list_warps(std::string& text) const;  // where they are, and what they wait for
  void finish();                             // statistics that are gathered at the end

  Context context;
  Host host;
  std::unique_ptr<Mechanism> mechanism;
  Rendezvous rendezvous;
  KernelStats stats;
  std::function<void(BlockSlot)> block_done;

 private:
  void advance(WarpId id);
  void charge_sync(Pc pc, std::span<const Group> groups, unsigned executed);
  void control(WarpId id, const Instruction& instruction, std::span<const Group> groups);
  void count_branch(const Instruction& instruction, std::span<const Outcome> outcomes);
  void count_origins(const Instruction& instruction, std::span<const Outcome> outcomes);
  void leave(BlockSlot slot, unsigned threads);

  const Kernel& kernel_;
  const LaunchInfo launch_;
  const Tracer tracer_;
  const bool every_slot_, bound_;
  unsigned resident_, rows_per_block_;
  std::vector<unsigned> live_threads_;        // by slot
  std::vector<BranchRecord> branches_;        // by PC
  std::unique_ptr<CompactionCensus> census_;  // if asked for
  std::unique_ptr<DecisionScores> scores_;    // likewise
  std::unique_ptr<PcMeter> meter_;            // likewise
  std::vector<Group> groups_;                 // of the instruction under way
  std::vector<std::vector<Target>> targets_;
};

unsigned rows_of(const LaunchInfo& launch);  // register rows of a block

// How many blocks fit a core at once. Throws Error (BadLaunch) if not even one does.
unsigned occupancy(const Kernel& kernel, const LaunchInfo& launch, const Config& config);

}  // namespace heddle
