// The threads of one core: their grouping, their registers and memory, and what an issued instruction does to both.
// Machines drive it: the emulation machine without a clock, the timed core with one.
//
// Life cycle: one per core and launch. start_block() for each block that becomes resident. Then, for every warp that is
// issued, either issue_at_once(), or begin(), issue() for each of its groups and complete() when its time has passed.
// run_plain() is the fast path of a machine without a clock. Blocks all of whose threads have left are handed to
// on_block_done().
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/checker.h"
#include "core/lone_run.h"
#include "divergence/grouping.h"
#include "divergence/rendezvous.h"
#include "exec/context.h"
#include "exec/thread_rows.h"
#include "program/machine/slow_paths.h"
#include "stats/kernel_stats.h"

namespace heddle {

struct EngineOptions {
  std::string mechanism = "pdom";
  LaneMap lanes = LaneMap::none();
  bool taint = false;  // follow where values come from
  bool timed = false;  // somebody charges time
  check::Checker* checker = nullptr;
  Observers observers;
};

class alignas(kApart) WarpEngine {
 public:
  WarpEngine(const Kernel& kernel, const LaunchInfo& launch, GlobalMemory& memory, ConstantPlane constants,
             const Config& config, const EngineOptions& options, unsigned resident_blocks);

  void start_block(BlockId block, uint64_t order);  // the order-th block of the grid
  void on_block_done(std::function<void(BlockId)> call) { block_done_ = std::move(call); }
  unsigned resident() const { return resident_; }
  unsigned live_threads(BlockId block) const { return host().live_threads(block); }

  // One instruction of a warp, all of it. `beside`: in the cycle of the one before.
  void issue_at_once(WarpId id, bool beside = false);
  // Plain instructions of a warp with one group, until a control instruction, ask_at or the end of the budget; where it
  // follows jumps, of which nobody may want to hear that they are issued, these too. The mask does not change on the
  // way, so that statistics are counted once for all of them. Returns the slots used.
  unsigned run_plain(WarpId id, unsigned budget, bool follows);

  // The same of a warp whose instructions are carried by several groups, of what only computes; returns how many
  // instructions. Nobody may want to hear of each.
  unsigned run_large(WarpId id, unsigned budget);

  // The same of a warp that comes to a branch together with others (Warp::gathers), until behind it.
  unsigned run_gathering(WarpId id, unsigned budget);
  // Mechanisms may let warps do so, or pass by branches; where nobody wants to hear of what they do.
  void let_gather();

  // One of these, behind which the mechanism is not asked. False: it is none, and nothing has happened.
  bool step_plain(WarpId id, bool beside);

  // The next instruction of a warp with one group, if it only computes and the mechanism is not asked behind it: it is
  // issued, but executed and counted later, with those that follow. Of nothing that other threads do can that be told,
  // nor by them; so it must be done by the time when its threads do something else, or get others beside them. False:
  // it is none, and nothing has happened. Not where somebody is told what is issued.
  bool put_off(WarpId id, bool beside) {
    Warp& warp = host().warp(id);
    if (warp.pc < warp.puts_off_until)
      ++warp.pc;
    else if (!issue_ahead(warp) && (warp.puts_off_until > 0 || !put_off_more(id, warp)))
      return false;
    ++put_off_;
    stats_.slots_beside += beside ? 1 : 0;
    host().now = CoreCycle(++context_.clock);
    return true;
  }
  void catch_up(WarpId id) {
    if (Warp& warp = host().warp(id); warp.puts_off_until > 0) catch_up(id, warp);
  }
  // Where a warp goes alone (Mechanism::goes_alone), such instructions and branches may be executed before they are
  // issued, as many as LoneRun::kMost; until so many slots have gone by.
  void let_go_alone(uint64_t until) { goes_alone_until_ = until; }
  bool goes_alone(WarpId id) const { return host().warp(id).ahead != 0; }  // its next instruction has been executed
  bool goes_beside_nobody(WarpId id) const { return host().warp(id).ahead > 0; }
  // The first of these warps that do so: a step of each. How many they are.
  size_t step_alone(std::span<const uint32_t> positions) {
    size_t count = 0;
    for (; count < positions.size(); ++count) {
      Warp& warp = host().warp(Host::at_position(positions[count]));
      if (warp.ahead <= 0) break;
      --warp.ahead;
    }
    put_off_ += count;
    context_.clock += count;
    host().now = CoreCycle(context_.clock);
    return count;
  }
  // Those whom the next instruction of this warp may change (Traits::by_static_warp).
  void catch_up_around(WarpId id);
  void catch_up_all();
  uint64_t slots() const { return stats_.issue_slots + put_off_; }

  // A branch by which all threads of a warp with one group go one way, where the mechanism need not be told. False:
  // nothing has happened.
  bool jump(WarpId id, bool beside = false);

  // Plain instructions of warps that stand at one PC with one group each: the first of each warp in turn, then the
  // second. Or one branch.
  void run_in_turn(const Turns& turns);

  // The same in steps. The groups that carry the warp's next instruction are good until the next call.
  std::span<const Group> groups_of(WarpId id) { return grouping_.groups_of(id); }
  [[gnu::always_inline]] void begin(WarpId id) { grouping_.begin(id); }
  [[gnu::always_inline]] void issued(WarpId id) { grouping_.issued(id); }
  // One of the groups goes: it is charged, and a plain instruction is executed. What it touched is in context().access.
  // True if it was executed.
  bool issue(WarpId id, Pc pc, const Group& group, bool beside = false);
  [[gnu::always_inline]] void issue_plain(WarpId id, Pc pc,
                                          const Group& group) {  // the same of a plain instruction, for threads
    charge(id, group, pc, 1);
    context_.pc = pc;
    forget_access();
    execute(kernel_.code[pc], group.lanes());
  }
  void issue_control(WarpId id, Pc pc, const Group& group) {  // of a branch, which is executed by complete()
    charge(id, group, pc, 1);
    context_.pc = pc;
    forget_access();
  }
  // Of what the threads of a group divide or take the root of.
  ValueRanges value_ranges_of(Pc pc, const Group& group) const;
  // The instruction at warp.pc is done, for all its groups.
  void complete(WarpId id);
  // The same of a plain instruction, and of one that did not begin().
  [[gnu::always_inline]] void complete_plain(WarpId id) { grouping_.complete_plain(id); }
  [[gnu::always_inline]] void pass_plain(WarpId id) { grouping_.pass_plain(id); }

  const Context& context() const { return context_; }
  Context& context() { return context_; }
  const Host& host() const { return grouping_.host(); }
  Host& host() { return grouping_.host(); }
  const Mechanism& mechanism() const { return grouping_.mechanism(); }
  Mechanism& mechanism() { return grouping_.mechanism(); }
  const Grouping& grouping() const { return grouping_; }
  const Traits& traits() const { return grouping_.traits(); }
  const KernelStats& stats() const { return stats_; }

  void explain(BlockId block, std::string& text) const;
  void list_warps(std::string& text) const;  // where they are, and what they wait for
  void finish();                             // statistics that are gathered at the end

 private:
  friend class Grouping;  // calls the next four, of the Work it asks
  std::span<const Outcome> branch(WarpId id, const Instruction& instruction, std::span<const Group> groups);
  void barrier(WarpId id, std::span<const Group> groups) { rendezvous_.at_barrier(id, groups); }
  void sync(WarpId id, std::span<const Group> groups);
  void left(BlockId block);

  struct Way {
    Pc to, ask_at;
  };
  std::optional<Way> one_way(const Warp& warp, WarpId id) const;
  bool passes(WarpId id);
  void follow(WarpId id, const Way& way) {
    ++stats_.branches;
    grouping_.jump(id, way.to, way.ask_at);
  }
  // Is the group charged when it is issued? A warp-wide instruction is when it is executed.
  static bool charged_at_issue(const Instruction& instruction, const Group& group) {
    return instruction.flow != Flow::Sync || group.kind == Group::Kind::Phantom;
  }
  // So many neighbouring plain instructions from `first` on.
  void charge(WarpId id, const Group& group, Pc first, uint64_t slots, bool beside = false);
  void tell_issued(WarpId id, const Group& group, Pc first, uint64_t slots, bool beside);
  void forget_access() {
    context_.access.mask = {};
    context_.access.by_parts = false;
  }
  void execute(const Instruction& instruction, const Lanes& lanes);  // context_.pc is set
  static bool issue_ahead(Warp& warp) {                              // what has been executed
    if (warp.ahead == 0) return false;
    warp.ahead = static_cast<int16_t>(warp.ahead > 0 ? warp.ahead - 1 : warp.ahead + 1);
    return true;
  }
  bool put_off_more(WarpId id, Warp& warp);
  bool put_off_until(Pc until, Warp& warp);
  bool put_off_behind(WarpId id, Warp& warp);
  bool issue_or_put_off(WarpId id, Warp& warp);
  bool run_alone(WarpId id, Warp& warp);
  bool has_no_companion(WarpId id, const Warp& warp) const;
  unsigned compute_straight(Warp& warp, const Lanes& lanes, unsigned most);
  bool compute_stop(WarpId id, Warp& warp, LoneRun& run);
  std::optional<Way> one_way_alone(WarpId id, const Warp& warp, const LoneRun& run) const;
  void count_alone(WarpId id, Warp& warp);
  void catch_up(WarpId id, Warp& warp);
  std::span<const Outcome> plain_branch(const Instruction& instruction, const Group& group);
  Outcome plain_outcome(const Instruction& instruction, const Group& group, std::array<Target, 2>& targets) const;
  std::span<const Outcome> branch_by_rows(const Instruction& instruction, std::span<const Group> groups);
  void branch_in_turn(std::span<const WarpId> warps);
  Pc compute_ahead(WarpId id);
  bool gather_rows(std::span<const WarpId> warps);
  bool computes_in_turn(const Turns& turns, Pc first);
  void gather_in_turn(std::span<const WarpId> warps);
  std::span<const Lanes> by_rows(std::span<const Group> groups);
  void compute(Pc first, Pc end, std::span<const Lanes> rows);
  void gather(BlockId block, Pc pc);
  void gather_rows(const BlockMask& threads, unsigned first_row);
  void count_branch(const Instruction& instruction, std::span<const Outcome> outcomes);
  void note_branch(bool diverged) {
    ++stats_.branches;
    stats_.divergent_branches += diverged ? 1 : 0;
    host().watch.count_branch(context_.pc, diverged);
  }

  const Kernel& kernel_;
  const LaunchInfo launch_;
  Context context_;
  Grouping grouping_;
  Rendezvous rendezvous_;
  KernelStats stats_;
  std::function<void(BlockId)> block_done_;
  std::vector<Pc> plain_until_;  // by PC: the first from there on that is guarded or not plain
  // By PC, and one behind: a branch of which the mechanism may be asked whether it need be told.
  std::vector<char> may_jump_;
  bool lets_pass_ = false;  // the mechanism may be told of branches by passes()
  unsigned resident_, rows_per_block_;
  struct Coming {
    Pc end = 0;          // behind the branch
    unsigned warps = 0;  // that are not there yet; 0: nothing has been executed
  };
  std::vector<Coming> coming_;                // by block: of a branch to which warps come together
  uint64_t put_off_ = 0;                      // slots
  std::vector<uint8_t> lagging_;              // by row: warps that have put something off
  std::vector<LoneRun> alone_;                // by warp
  std::vector<PaysAlone> alone_pays_;         // by PC
  uint64_t goes_alone_until_ = 0;             // slots
  ThreadRows rows_;                           // of warps that compute together
  std::vector<WarpId> together_;              // these,
  std::vector<Outcome> outcomes_;             // of the control instruction under way,
  std::vector<std::vector<Target>> targets_;  // and where they lead
  Outcome one_;                               // the same of a branch of one group,
  std::array<Target, 2> two_{};
  std::vector<std::array<Target, 2>> two_by_row_;  // or of several, by rows
  std::vector<LaneMask> taken_;  // by row: of branches of several, one after the other; none between them
};

[[gnu::always_inline]] inline void WarpEngine::charge(WarpId id, const Group& group, Pc first, uint64_t slots,
                                                      bool beside) {
  if (host().watch.wants(Observer::kIssues | Observer::kSteps)) [[unlikely]]
    tell_issued(id, group, first, slots, beside);
  stats_.issue(slots, group.count);
  stats_.slots_beside += beside ? slots : 0;
  if (group.kind == Group::Kind::Phantom) {
    stats_.phantom_slots += slots;
    stats_.phantom_threads += slots * group.count;
  } else {
    stats_.thread_instructions += slots * (group.count + group.along);
  }
}

// Where all threads of a warp with one group go by a branch of which the mechanism need not be told.
[[gnu::always_inline]] inline std::optional<WarpEngine::Way> WarpEngine::one_way(const Warp& warp, WarpId id) const {
  if (!may_jump_[warp.pc]) return {};
  const Instruction& instruction = kernel_.code[warp.pc];
  if (warp.groups > 1 || warp.group.kind == Group::Kind::Phantom) return {};
  if (context_.taint || context_.monitor) return {};
  const LaneMask taken = context_.guarded(instruction, warp.group.lanes()).mask;
  if (!taken.empty() && taken != warp.group.mask) return {};
  const Pc to = taken.empty() ? warp.pc + 1 : instruction.target;
  const std::optional<Pc> ask_at = grouping_.mechanism().goes_on(id, to);
  return ask_at ? std::optional(Way{to, *ask_at}) : std::nullopt;
}

[[gnu::always_inline]] inline void WarpEngine::execute(const Instruction& instruction, const Lanes& lanes) {
  if (!instruction.guarded()) return context_.handlers[context_.pc](context_, instruction, lanes);
  const Lanes active = context_.guarded(instruction, lanes);
  stats_.predicated_off += lanes.mask.count() - active.mask.count();
  if (!active.mask.empty()) context_.handlers[context_.pc](context_, instruction, active);
}

[[gnu::always_inline]] inline bool WarpEngine::step_plain(WarpId id, bool beside) {
  Warp& warp = host().warp(id);
  const Pc pc = warp.pc;
  const Instruction& instruction = kernel_.code[pc];
  if (instruction.flow != Flow::Plain || pc + 1 == warp.ask_at) return false;
  if (warp.groups > 1 || warp.group.kind == Group::Kind::Phantom) return false;
  context_.pc = pc;
  charge(id, warp.group, pc, 1, beside);
  execute(instruction, warp.group.lanes());
  host().now = CoreCycle(++context_.clock);
  warp.pc = pc + 1;
  return true;
}

}  // namespace heddle
