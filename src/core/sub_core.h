// A part of a core that issues by itself: its scheduler, its issue port, its units, and the warps that are its own
// (Host::ready). A core has one or several; all else they share (core_parts.h).
//
// Issue: the port takes one group every warp_size / simd_width cycles, and with it companions on the lanes it leaves
// free, where the mechanism has them (Traits::issue_width). A warp whose instruction has several groups keeps the port
// until the last is out, an instruction of several machine instructions as long as these take, but for sequences that
// go step by step (IssueTable::steps), which take a turn for each. The scheduler chooses
// among warps that are Ready, whose time has come (not_before), whose instruction is in the instruction cache, whose
// units are free and, with a register scoreboard, whose registers are there. With scoreboard `warp` a warp is InFlight
// until its instruction completes.
//
// Life cycle: issue(now) when something has changed or at due(), and plan(now) at the end of that cycle; where it is
// not asked, reconsider(now) if its instructions begin or cease to wait for memory, and hear_news(now) if others have
// issued. Cycles that pass without an issue are accounted by what it found last.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/core_parts.h"
#include "core/port_watch.h"
#include "core/unit_queue.h"
#include "schedule/round_robin.h"

namespace heddle {

class alignas(kApart) SubCore {
 public:
  SubCore(CoreParts& core, unsigned index, std::unique_ptr<Scheduler> scheduler, CoreCycle start);

  enum class Found : uint8_t { Busy, Nothing, Warp };  // Busy: the port, or the instruction at it
  Found issue(CoreCycle now);
  // What issue() does, where it issues a simple instruction (sub_core_simple.h) or finds nothing. Memory: it was one of
  // these. Not: it would do something else, and has not. Of a lean sub-core.
  enum class Simply : uint8_t { Not, Done, Memory };
  Simply issue_simply(CoreCycle now);
  bool lean() const {
    return plain_ && simple_ && simple_memory_ && !notes_stores_ && !has_cache_ && parameters_.memory_queue == 0;
  }
  void reconsider(CoreCycle now);                         // what cycles without an issue are, from now on
  [[gnu::always_inline]] CoreCycle plan(CoreCycle now) {  // is due()
    due_ = kNever;
    if (issuing_ || any_ready()) due_ = now < port_free_ ? port_free_ : try_again_;
    if (!plain_ && !special_.empty()) let_special_go(now);
    return due_;
  }
  // What another sub-core issued may have made somebody ready here, behind the last look.
  void hear_news(CoreCycle now) {
    if (host_.has_news(*own_)) wake(std::max(now + 1, port_free_));
  }
  void wake(CoreCycle at) { due_ = std::min(due_, at); }  // issue is worth a try then
  void look_again(CoreCycle at) {                         // at whom could not go
    try_again(at);
    wake(std::max(at, port_free_));
  }
  CoreCycle due() const { return due_; }
  bool issuing() const { return issuing_; }
  bool waits_for_stage() const { return waits_for_stage_; }  // some warp found no place on the way there
  void fetched(CoreCycle now);                               // an instruction has come into the cache

  [[gnu::always_inline]] void account(CoreCycle now) {  // cycles without an issue, up to now
    if (accounted_ >= now) return;
    const uint64_t passed = now - accounted_;
    if (watch_) [[unlikely]]
      tell_idle(now);
    CoreStats& stats = core_.stats;
    switch (idle_) {
      case IdleClass::Stall: stats.stall += passed; break;
      case IdleClass::Memory: stats.w0_mem += passed; break;
      case IdleClass::Nothing:
        stats.w0_idle += passed;
        if (core_.running.empty()) stats.empty += passed;
        break;
    }
    accounted_ = now;
  }
  CoreCycle accounted() const { return accounted_; }
  PortWatch* watch() { return watch_.get(); }

 private:
  const IssueCost& cost_at(Pc pc) const { return costs_[pc]; }
  const IssueCost& cost_of(WarpId id) const {  // of what it issues next
    const Pc pc = host_.warp(id).pc;
    return cost_at(pc).steps == 0 ? cost_at(pc) : step_of(id, pc);
  }
  const IssueCost& step_of(WarpId id, Pc pc) const;
  bool takes_step(WarpId id, CoreCycle now);
  bool passes_memory_stage(Pc pc) const { return shared_pipeline_ || cost_at(pc).unit == Unit::Memory; }
  [[gnu::always_inline]] bool any_ready() const { return own_ ? host_.ready().meets(*own_) : !host_.ready().empty(); }
  const WarpSet& ready() { return own_ ? ready_of_own() : host_.ready(); }
  const WarpSet& ready_of_own();
  IdleClass idle_class(bool stalled) const {
    if (stalled) return IdleClass::Stall;
    const bool waits = core_.flights.waiting_for_memory(index_) > 0 || !fetching_.empty();
    return waits ? IdleClass::Memory : IdleClass::Nothing;
  }
  void set_idle(bool stalled) { idle_ = idle_class(stalled); }
  void tell_idle(CoreCycle upto) const;
  void try_again(CoreCycle at) { try_again_ = std::min(try_again_, at); }
  void note_full_stage() {
    if (watch_) watch_->stalls(IdleCause::MemoryStage, core_.lsu.held_by());
  }

  WarpId scheduled(const WarpSet& ready) const {
    return round_robin_ ? round_robin_->choose(ready) : scheduler_->choose(ready);
  }
  void goes(WarpId id) {
    if (round_robin_)
      round_robin_->issued(id);
    else
      scheduler_->issued(id);
  }
  WarpId choose(CoreCycle now);
  WarpId choose_others(WarpId tried, const WarpSet& all, CoreCycle now);
  WarpId first_choice(const WarpSet& left);
  bool may_issue(WarpId id, CoreCycle now, const IssueCost* beside = nullptr);
  bool may_go_beside(WarpId id, CoreCycle now, const IssueCost& first);
  bool waits_for_run(WarpId id, CoreCycle now);
  bool units_take(const IssueCost& cost, CoreCycle now, const IssueCost* beside);
  bool unit_takes(Unit unit, CoreCycle now, const IssueCost* beside);
  bool registers_free(WarpId id, CoreCycle now);
  void wait_for_registers(WarpId id, CoreCycle now);
  CoreCycle registers_there(WarpId id, CoreCycle now);
  void leave_out_those(WarpSet& left, CoreCycle now);
  void leave_out_for_stage(WarpSet& left) const;
  [[gnu::always_inline]] bool pipeline_takes(CoreCycle now) {  // is there a place on the way to the memory stage?
    if (!core_.lsu.full(index_, now)) [[likely]]
      return true;
    waits_for_stage_ = true;
    try_again(core_.lsu.next_place());
    return false;
  }
  bool in_cache(WarpId id, CoreCycle now);

  bool goes_along(WarpId id) const { return cost_at(host_.warp(id).pc).slots == 0; }
  void take_along(WarpId id, CoreCycle now);
  void issue_companions(CoreCycle now);
  bool is_simple(const Warp& warp, const IssueCost& cost) const;
  void issue_simple(WarpId id, Warp& warp, const IssueCost& cost, CoreCycle now);
  void until_end(CoreCycle end, WarpId id, const Warp& warp, const IssueCost& cost, CoreCycle now);
  void behind_others(WarpId id, const Warp& warp, const IssueCost& cost, CoreCycle now);
  void to_memory(WarpId id, const Warp& warp, const IssueCost& cost, CoreCycle now);
  void take_registers(FlightId flight, const Warp& warp, const IssueCost& cost);
  bool goes_simply(const Warp& warp, const IssueCost& cost, CoreCycle now);
  void begin(WarpId id);
  void take_groups(WarpId id);
  void note_load(WarpId id);
  void note_store(FlightId flight, WarpId id, Pc pc);
  void issue_group(CoreCycle now, bool beside);
  void charge(const IssueCost& cost, unsigned threads, bool beside);
  void take_units(const IssueCost& cost, CoreCycle now);
  void push_specials(UnitQueue::Entry first, unsigned latency, CoreCycle now);
  void push_specials(FlightId flight, CoreCycle now);
  CoreCycle port_quiet() const { return port_free_ - cycle_length_ + cost_->slots * parameters_.interval; }
  void let_special_go(CoreCycle now);
  void special_result(const UnitQueue::Entry& of, CoreCycle there);
  CoreCycle& special_place() { return unit_free_[static_cast<size_t>(Unit::Special)]; }  // when its queue takes one
  void count_cycles(unsigned threads, unsigned cycles, bool beside);
  unsigned cycles_of(const IssueCost& cost) {  // at the port
    if (cost.thirds == 0 || (thirds_ += cost.thirds) < 3) return cost.cycles;
    thirds_ -= 3;
    return cost.cycles + 1U;
  }

  CoreParts& core_;
  const CoreParameters& parameters_;  // this and the next four: what is used most of core_
  const IssueCost* const costs_;
  const Traits& traits_;
  WarpEngine& engine_;
  Host& host_;
  const WarpSet* const own_;  // its warps; null: all are
  const unsigned index_;
  std::unique_ptr<Scheduler> scheduler_;
  RoundRobin* const round_robin_;  // the same, where it is that, which most have: asked without a call
  std::unique_ptr<PortWatch> watch_;
  std::vector<Address> near_code_;  // lines of its own instruction cache, each at its place
  const bool many_ask_;             // in a cycle, and wait
  const bool plain_;                // no sub-cores beside it, and no queue of special functions
  const bool one_by_one_;           // nobody wishes, and warps go alone
  const bool simple_;               // and nobody watches: instructions may be simple,
  const bool simple_memory_;        // those of memory, too
  const bool notes_stores_;
  const bool shared_pipeline_, has_cache_;       // of the core; for instructions
  Scoreboard* const scoreboard_;                 // of the core; null: none
  const bool knows_ends_, calls_ends_;           // of plain instructions: Scoreboard::take_until, Flights::call
  std::vector<std::pair<WarpId, Pc>> fetching_;  // warps whose instruction is on its way to the cache
  std::array<CoreCycle, kUnits> unit_free_{};
  struct Progress {  // of a warp in a sequence
    uint64_t serial = 0;
    Pc pc = kNoPc;
    size_t step = 0;
    ValueRanges values;
    uint64_t sequence = 0;               // its number in the sub-core
    uint8_t specials = 0;                // special functions that were issued,
    uint8_t awaited = 0;                 // the one for which the next step waits, from 1 on,
    CoreCycle earliest{0};               // when that step could go without,
    std::array<CoreCycle, 8> results{};  // and when each result is there, as far as that is known
  };
  std::vector<Progress> progress_;  // by warp, as far as it was needed
  uint64_t sequences_ = 0;          // that were begun
  UnitQueue special_;
  WarpSet own_ready_, candidates_;
  WarpSet for_stage_;         // warps that are known to go to the memory stage next
  WarpId storing_ = kNoWarp;  // the warp that stored last,
  Pc stored_ = kNoPc;         // by this instruction
  WarpSet wished_;            // of those that are left, the first by their wish

  // The instruction at the port.
  bool issuing_ = false;
  WarpId warp_{0};
  FlightId flight_ = 0;
  std::span<const Group> groups_;  // in one of the next two
  Group only_;
  std::vector<Group> several_;
  size_t group_ = 0;  // the next of groups_
  Pc pc_ = 0;
  const IssueCost* cost_ = nullptr;
  unsigned cycle_threads_ = 0, cycle_length_ = 0;  // that went in this cycle, and for how long

  unsigned thirds_ = 0;  // of a cycle that the port was not taken for yet
  CoreCycle port_free_;
  CoreCycle accounted_;  // cycles before it are in the breakdown
  IdleClass idle_ = IdleClass::Nothing;
  bool stalled_ = false;           // some warp could go, but for the pipeline below,
  bool memory_full_ = false;       // which takes nothing for memory in this cycle,
  std::optional<Unit> full_unit_;  // nor this one
  bool waits_for_stage_ = false;
  CoreCycle& due_;          // when issue is worth a try, if nothing changes before; beside those of others
  CoreCycle try_again_{0};  // when a warp that could not issue may be able to
};

}  // namespace heddle
