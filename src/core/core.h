// One core (SM) with a clock: it issues warp instructions, charges their time and says where its cycles went.
//
// Life cycle: one per launch. start_block() while it has room; then tick(now) at every cycle at which next()
// says there is something to do. reply() for each line that has come, before the tick of its cycle if there is one.
// Between, nothing of the core changes, so cycles that pass without a tick are accounted by what the core found last.
// settle() brings all counters up to a cycle.
//
// Issue: the port takes one group every warp_size / simd_width cycles, and with it companions on the lanes it leaves
// free, where the mechanism has them (Traits::issue_width). A warp whose instruction has several groups
// keeps the port until the last is out. The scheduler chooses among warps that are Ready, whose time has come
// (not_before), whose instruction is in the instruction cache, whose unit is free and, with a register scoreboard,
// whose registers are there. With scoreboard `warp` a warp is InFlight until its instruction completes.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/core_watch.h"
#include "core/load_store_unit.h"
#include "core/scoreboard.h"
#include "core/warp_engine.h"
#include "schedule/registry.h"

namespace heddle {

class Core {
 public:
  Core(unsigned index, const CoreParameters& parameters, const RegisterUses* uses, WarpEngine& engine,
       std::unique_ptr<Scheduler> scheduler, MemorySystem& memory, const Clock<CoreCycle>& clock, CoreCycle start);

  void start_block(BlockId block, uint64_t order, CoreCycle now);
  void reply(uint32_t tag, CoreCycle now);  // next() may be earlier behind it
  // Is it to be woken when the network takes packets again?
  bool wants_room() const { return outlet_.waits() || lsu_.wants_room() || !fetching_.empty(); }
  void tick(CoreCycle now);
  CoreCycle next() const { return next_; }
  // Nothing under way, nothing ready: nothing of it is ever going to happen.
  bool stuck() const {
    return flights_.under_way() == 0 && !running_.empty() && engine_.host().ready().empty() && !issuing_ &&
           fetching_.empty();
  }
  std::span<const BlockId> left() const { return left_; }  // those that have ended
  void forget_left() { left_.clear(); }
  bool idle() const { return running_.empty() && flights_.under_way() == 0 && lsu_.quiet() && !outlet_.waits(); }

  void settle(CoreCycle now);  // all counters are good up to now
  void finish(CoreCycle now);  // the same, and nothing comes behind it
  CoreCycle accounted() const { return accounted_; }
  const CoreStats& stats() const { return stats_; }
  std::span<const BlockId> running() const { return running_; }
  void explain(std::string& text) const;

 private:
  void account(CoreCycle now) {  // cycles without an issue, up to now
    if (accounted_ >= now) return;
    const uint64_t passed = now - accounted_;
    if (watch_) [[unlikely]]
      tell_idle(now);
    switch (idle_) {
      case IdleClass::Stall: stats_.stall += passed; break;
      case IdleClass::Memory: stats_.w0_mem += passed; break;
      case IdleClass::Nothing:
        stats_.w0_idle += passed;
        if (running_.empty()) stats_.empty += passed;
        break;
    }
    accounted_ = now;
  }
  void wake_issue(CoreCycle at) {
    issue_due_ = std::min(issue_due_, at);
    next_ = std::min(next_, at);
  }
  void complete(FlightId id, const Flight& flight);
  bool advances_at_issue(Pc pc) const;
  void hear_returns(CoreCycle now);
  void issue(CoreCycle now);
  void issue_companions(CoreCycle now);
  void tell_stalls(CoreCycle now);
  void set_idle(bool stalled);
  WarpId choose(CoreCycle now);
  WarpId first_choice(const WarpSet& left);
  bool may_issue(WarpId id, CoreCycle now, const Unit* shared = nullptr);
  bool registers_free(WarpId id);
  void wait_for_registers(WarpId id);
  void leave_out_memory(WarpSet& left);
  void sleep(WarpId id);
  void wake(FlightId flight);
  bool passes_memory_stage(Pc pc) const { return parameters_.shared_pipeline || unit_of_[pc] == Unit::Memory; }
  bool pipeline_takes(CoreCycle now);
  Address code_address(Pc pc) const;
  bool fetched(WarpId id, CoreCycle now);
  void begin(WarpId id);
  void take_groups(WarpId id);
  void note_load(WarpId id);
  void tell_idle(CoreCycle upto) const;
  void note_full_stage() {
    if (watch_) watch_->stalls(IdleCause::MemoryStage, lsu_.held_by());
  }
  void issue_group(CoreCycle now, bool beside);
  void count_cycle(unsigned threads, bool beside);
  void plan(CoreCycle now);

  const CoreParameters& parameters_;
  WarpEngine& engine_;
  std::unique_ptr<Scheduler> scheduler_;
  CoreStats stats_;
  Outlet outlet_;
  Flights flights_;
  LaneReturns returns_;
  const Traits traits_;
  const bool many_ask_;         // in a cycle: splits, companions
  const bool follows_returns_;  // the mechanism or who watches hears of lanes whose data is there
  const std::unique_ptr<CoreWatch> watch_;
  LoadStoreUnit lsu_;
  FirstLevel instructions_;
  std::unique_ptr<Scoreboard> scoreboard_;   // none: one instruction of a warp under way
  std::vector<std::vector<WarpId>> asleep_;  // by row: warps that wait for registers of it
  std::vector<Unit> unit_of_;                // by PC
  std::vector<BlockId> running_, left_;
  std::vector<std::pair<WarpId, Pc>> fetching_;  // warps whose instruction is on its way to the cache
  std::array<CoreCycle, kUnits> unit_free_{};
  WarpSet candidates_, wished_;  // wished_: of those that are left, the first by their wish

  struct Load {  // of a warp, when it was issued
    KeptGroup group;
    WarpId parent;
    uint64_t age;
    Pc pc;
  };
  std::vector<Load> loads_;                    // by flight, where somebody hears of returns
  std::vector<WarpId> stalled_warps_;          // found in this cycle
  std::vector<std::pair<uint64_t, Pc>> told_;  // by warp: its serial and instruction when it was told of last

  // The instruction at the port.
  bool issuing_ = false;
  WarpId warp_{0};
  FlightId flight_ = 0;
  std::span<const Group> groups_;  // in one of the next two
  Group only_;
  std::vector<Group> several_;
  size_t group_ = 0;  // the next of groups_
  Pc groups_pc_ = 0;
  unsigned cycle_threads_ = 0;  // that went in this cycle

  CoreCycle port_free_{0};
  CoreCycle accounted_{0};  // cycles before it are in the breakdown
  IdleClass idle_ = IdleClass::Nothing;
  bool stalled_ = false;          // some warp could go, but for the pipeline below,
  bool memory_full_ = false;      // which takes nothing for memory in this cycle
  CoreCycle issue_due_ = kNever;  // when issue is worth a try, if nothing changes before
  CoreCycle try_again_{0};        // when a warp that could not issue may be able to
  CoreCycle next_{0};
};

}  // namespace heddle
