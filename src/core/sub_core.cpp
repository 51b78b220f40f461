#include "core/sub_core.h"

#include <algorithm>

#include "core/sub_core_simple.h"

namespace heddle {

SubCore::SubCore(CoreParts& core, unsigned index, std::unique_ptr<Scheduler> scheduler, CoreCycle start)
    : core_(core),
      parameters_(core.parameters),
      costs_(core.table.costs.data()),
      traits_(core.traits),
      engine_(core.engine),
      host_(core.engine.host()),
      own_(host_.part(index)),
      index_(index),
      scheduler_(std::move(scheduler)),
      round_robin_(dynamic_cast<RoundRobin*>(scheduler_.get())),
      watch_(core.watch ? std::make_unique<PortWatch>(core.engine.host(), index) : nullptr),
      near_code_(core.parameters.near_lines),
      many_ask_(core.scoreboard || core.traits.splits || core.traits.issue_width > 1),
      plain_(!own_ && core.parameters.special_queue == 0),
      one_by_one_(!core.traits.wishes && core.traits.issue_width == 1),
      simple_(one_by_one_ && !watch_),
      simple_memory_(!core.follows_returns),
      notes_stores_(core.drain.used() || core.parameters.store_runs),
      shared_pipeline_(core.parameters.shared_pipeline),
      has_cache_(core.parameters.instruction.bytes > 0),
      scoreboard_(core.scoreboard.get()),
      knows_ends_(simple_ && scoreboard_ && !scoreboard_->tells_lanes() && !core.traits.hears_stalls),
      calls_ends_(simple_ && !scoreboard_ && !core.traits.every_slot),
      special_(core.parameters.special_queue),
      port_free_(start),
      accounted_(start),
      due_(core.due[index]) {}

// ---- cycles without an issue

void SubCore::reconsider(CoreCycle now) {
  const IdleClass now_is = idle_class(idle_ == IdleClass::Stall);
  if (now_is == idle_) return;
  account(now);
  idle_ = now_is;
}

void SubCore::tell_idle(CoreCycle upto) const {
  watch_->passed(accounted_, upto, idle_, port_free_, !core_.running.empty());
}

void SubCore::fetched(CoreCycle now) {
  const auto come = [&](const auto& waiting) { return core_.holds_code(waiting.second); };
  core_.fetching -= static_cast<unsigned>(std::erase_if(fetching_, come));
  if (watch_) watch_->wakes({IdleCause::Fetch, kNoPc, kNoWarp, now});
  wake(now);
}

// ---- issue

SubCore::Found SubCore::issue(CoreCycle now) {
  account(now);
  try_again_ = kNever;
  waits_for_stage_ = false;
  if (now < port_free_) {
    set_idle(false);
    return Found::Busy;
  }
  if (!issuing_) {
    WarpId chosen = choose(now);
    for (; chosen != kNoWarp && goes_along(chosen); chosen = choose(now)) take_along(chosen, now);
    if (chosen == kNoWarp) return Found::Nothing;
    goes(chosen);
    if (Warp& warp = host_.warp(chosen); simple_ && is_simple(warp, cost_at(warp.pc))) {
      issue_simple(chosen, warp, cost_at(warp.pc), now);
      set_idle(false);
      return Found::Warp;
    }
    if (cost_at(host_.warp(chosen).pc).steps > 0 && takes_step(chosen, now)) {
      set_idle(false);
      return Found::Warp;
    }
    begin(chosen);
  } else if (passes_memory_stage(pc_) && !pipeline_takes(now)) {
    note_full_stage();
    set_idle(true);
    return Found::Busy;
  } else if (traits_.issue_width > 1) {
    candidates_ = ready();
  }
  issue_group(now, false);
  if (traits_.issue_width > 1 && !issuing_) issue_companions(now);
  set_idle(false);
  return Found::Warp;
}

// An instruction that is a part of another takes no turn of the port. What its registers wait for, its results wait
// for.
void SubCore::take_along(WarpId id, CoreCycle now) {
  const Pc pc = host_.warp(id).pc;
  take_groups(id);
  engine_.begin(id);
  for (const Group& group : groups_)
    if (engine_.issue(id, pc, group) && scoreboard_) scoreboard_->pass_on(pc, group, now);
  if (core_.watch) core_.watch->went_along(id, pc);
  engine_.complete(id);
}

// Who goes with the warp that was just issued, on the lanes it leaves free: of those that were not found to be kept
// back when it was chosen.
void SubCore::issue_companions(CoreCycle now) {
  const WarpId first = warp_;
  const IssueCost& cost = cost_at(pc_);
  candidates_.intersect(ready());
  candidates_.erase(first);
  for (const auto& waiting : fetching_) candidates_.erase(waiting.first);
  memory_full_ = false;
  full_unit_.reset();
  for (unsigned place = 1; place < traits_.issue_width && !candidates_.empty();) {
    if (shared_pipeline_ && !pipeline_takes(now)) return;
    const WarpId id = engine_.mechanism().companion(first, candidates_);
    if (id == kNoWarp) return;
    candidates_.erase(id);
    const bool may = may_go_beside(id, now, cost);
    if (memory_full_) leave_out_those(candidates_, now);
    if (!may) continue;
    begin(id);
    issue_group(now, true);
    ++place;
  }
}

inline void SubCore::begin(WarpId id) {
  take_groups(id);
  group_ = 0;
  pc_ = host_.warp(id).pc;
  cost_ = &cost_of(id);
  if (id < progress_.size()) progress_[id].pc = kNoPc;
  issuing_ = true;
  warp_ = id;
  flight_ = core_.flights.start(id, pc_, static_cast<unsigned>(groups_.size()), index_);
  if (core_.follows_returns) note_load(id);
  engine_.begin(id);
}

// Others may be asked for their groups before the last of these is out.
inline void SubCore::take_groups(WarpId id) {
  if (const Warp& warp = host_.warp(id); warp.groups == 1) {
    only_ = warp.group;
    groups_ = {&only_, 1};
    return;
  }
  const std::span<const Group> groups = engine_.groups_of(id);
  several_.assign(groups.begin(), groups.end());
  groups_ = several_;
}

void SubCore::note_load(WarpId id) {
  const Warp& warp = host_.warp(id);
  if (core_.loads.size() <= flight_) core_.loads.resize(flight_ + 1, {KeptGroup(Group{}), {}, 0, 0});
  core_.loads[flight_] = {KeptGroup(groups_[0]), warp.parent, warp.age, groups_.size() == 1 ? warp.pc : kNoPc};
}

// Of shared memory there is nothing to wait for, nor where the guards of all lanes are false.
void SubCore::note_store(FlightId flight, WarpId id, Pc pc) {
  const Instruction& instruction = core_.instruction(pc);
  const bool stores = cost_at(pc).stores || (instruction.op == Op::Red && instruction.space != Space::Shared);
  if (core_.drain.used() && stores && !engine_.context().access.mask.empty())
    core_.drain.stores(host_.warp(id).block, flight);
  if (!parameters_.store_runs || !cost_at(pc).stores) return;
  storing_ = id;
  stored_ = pc;
}

void SubCore::issue_group(CoreCycle now, bool beside) {
  const Group& group = groups_[group_];
  const IssueCost& cost = *cost_;
  if (watch_) {
    watch_->end_wait(warp_, pc_);
    if (group_ == 0) core_.watch->begins(flight_, warp_);
  }
  if (group_ > 0) core_.flights.issue_another(flight_);
  const bool executed = engine_.issue(warp_, pc_, group, beside);
  charge(cost, group.count, beside);
  port_free_ = accounted_ = now + cycle_length_;
  if (group_ + 1 < groups_.size()) port_free_ = std::max(port_free_, now + parameters_.form_cycles);
  take_units(cost, now);
  if (cost.specials > 0) push_specials(flight_, now);
  const bool will_write = cost.goes_on && group.kind != Group::Kind::Phantom;  // a warp-wide one, when it is completed
  if ((executed || will_write) && scoreboard_) scoreboard_->take(flight_, pc_, group);
  if (notes_stores_ && cost.unit == Unit::Memory) note_store(flight_, warp_, pc_);
  if (cost.unit == Unit::Memory)
    core_.lsu.access(flight_, core_.instruction(pc_), engine_.context().access, group.lanes(), now + cost.lead);
  else if (shared_pipeline_)
    core_.lsu.pass(flight_, cost.latency, now + cost.lead);
  else if (cost.specials == 0)
    core_.flights.done(flight_, (cost.flow == Flow::Barrier ? core_.at_barrier(now) : now) + cost.lead + cost.latency);
  if (++group_ < groups_.size()) return;
  issuing_ = false;
  if (cost.holds > 0) host_.warp(warp_).not_before = now + cost.holds;
  if (cost.goes_on) engine_.complete(warp_);
}

}  // namespace heddle
