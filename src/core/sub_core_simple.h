// Simple instructions: plain ones and branches that one group carries, all at once. How a sub-core issues them.
#pragma once

#include <algorithm>

#include "core/sub_core.h"

namespace heddle {

inline bool SubCore::is_simple(const Warp& warp, const IssueCost& cost) const {
  return cost.simple && warp.groups == 1 && warp.group.kind != Group::Kind::Phantom &&
         (cost.unit != Unit::Memory || simple_memory_);
}

[[gnu::always_inline]] inline void SubCore::issue_simple(WarpId id, CoreCycle now) {
  Warp& warp = host_.warp(id);
  const Group& group = warp.group;
  const Pc pc = warp.pc;
  const IssueCost& cost = cost_at(pc);
  const bool plain = cost.flow == Flow::Plain;  // else a branch, which is executed when it completes
  cost_ = &cost;
  if (cost.goes_on)
    engine_.issued(id);
  else
    engine_.begin(id);
  if (plain)
    engine_.issue_plain(id, pc, group);
  else
    engine_.issue_control(id, pc, group);
  charge(cost, group.count, false);
  port_free_ = accounted_ = now + cycle_length_;
  take_units(cost, now);
  if (cost.unit == Unit::Memory)
    take_registers(to_memory(id, now), warp);
  else if (!shared_pipeline_)
    until_end(now + cost.lead + cost.latency, id, now);
  else if (core_.lsu.nobody_waits())
    until_end(core_.lsu.pass_at_once(cost.latency, now + cost.lead), id, now);
  else
    behind_others(id, now);
  if (cost.holds > 0) warp.not_before = now + cost.holds;
  if (cost.goes_on) engine_.pass_plain(id);
}

// Who hears of it then does not ask which instruction it was, where that is plain.
[[gnu::always_inline]] inline void SubCore::until_end(CoreCycle end, WarpId id, CoreCycle now) {
  const Warp& warp = host_.warp(id);
  const bool plain = cost_->flow == Flow::Plain;
  if (plain && knows_ends_ && core_.flights.calls(id, end)) {
    scoreboard_->take_until(end, warp.pc, warp.group, now);
    core_.flights.until(end);
  } else if (plain && calls_ends_ && core_.flights.calls(id, end) && warp.pc + 1 != warp.ask_at) {
    core_.flights.call(id, end);
  } else {
    take_registers(core_.flights.start_until(end, id, warp.pc, index_), warp);
  }
}

inline void SubCore::behind_others(WarpId id, CoreCycle now) {
  const Warp& warp = host_.warp(id);
  const FlightId flight = core_.flights.start(id, warp.pc, 1, index_);
  core_.lsu.pass(flight, cost_->latency, now + cost_->lead);
  take_registers(flight, warp);
}

[[gnu::always_inline]] inline void SubCore::take_registers(FlightId flight, const Warp& warp) {
  if (scoreboard_ && cost_->flow == Flow::Plain) scoreboard_->take(flight, warp.pc, warp.group);
}

inline FlightId SubCore::to_memory(WarpId id, CoreCycle now) {
  const Warp& warp = host_.warp(id);
  const FlightId flight = core_.flights.start(id, warp.pc, 1, index_);
  core_.lsu.access(flight, core_.instruction(warp.pc), engine_.context().access, warp.group.lanes(),
                   now + cost_at(warp.pc).lead);
  return flight;
}

[[gnu::always_inline]] inline void SubCore::charge(const IssueCost& cost, unsigned threads, bool beside) {
  if (core_.table.machine_code) {
    core_.stats.machine_instructions += cost.slots;
    core_.stats.machine_threads += uint64_t{cost.slots} * threads;
  }
  count_cycles(threads, cycles_of(cost), beside);
}

[[gnu::always_inline]] inline void SubCore::take_units(const IssueCost& cost, CoreCycle now) {
  const auto take = [&](size_t unit) {
    unit_free_[unit] = now + cost.busy[unit];
    if (watch_) watch_->takes(static_cast<Unit>(unit), pc_);
  };
  if (!cost.several) return take(static_cast<size_t>(cost.unit));
  for (size_t unit = 0; unit < kUnits; ++unit)
    if (cost.busy[unit] > 0) take(unit);
}

// A cycle counts once, with all threads that go in it; who goes together goes for as long as the longest of them.
[[gnu::always_inline]] inline void SubCore::count_cycles(unsigned threads, unsigned cycles, bool beside) {
  CoreStats& stats = core_.stats;
  if (beside) {
    stats.issue_cycles[cycle_threads_] -= cycle_length_;
    threads += cycle_threads_;
    cycles = std::max(cycles, cycle_length_);
    require(threads <= kRow, "warps that go together share lanes");
  }
  cycle_threads_ = threads;
  cycle_length_ = cycles;
  stats.issue_cycles[threads] += cycles;
}

// The one that goes next, if that is a simple instruction and nothing keeps it back; else kNoWarp.
[[gnu::always_inline]] inline WarpId SubCore::simple_choice(CoreCycle now) {
  if (shared_pipeline_ && core_.lsu.full(index_, now)) return kNoWarp;
  const WarpId id = scheduler_->choose(host_.ready());
  const Warp& warp = host_.warp(id);
  const IssueCost& cost = cost_at(warp.pc);
  if (!is_simple(warp, cost) || cost.several) return kNoWarp;
  if (warp.not_before > now || unit_free_[static_cast<size_t>(cost.unit)] > now) return kNoWarp;
  if (!shared_pipeline_ && cost.unit == Unit::Memory && core_.lsu.full(index_, now)) return kNoWarp;
  return scoreboard_ && !scoreboard_->free(warp.pc, warp.group, now) ? kNoWarp : id;
}

[[gnu::always_inline]] inline SubCore::Simply SubCore::issue_simply(CoreCycle now) {
  WarpId chosen = kNoWarp;
  if (now >= port_free_) {
    if (issuing_) return Simply::Not;
    if (any_ready() && (chosen = simple_choice(now)) == kNoWarp) return Simply::Not;
  }
  account(now);
  try_again_ = kNever;
  waits_for_stage_ = false;
  if (chosen == kNoWarp) {
    set_idle(false);
    return Simply::Done;
  }
  scheduler_->issued(chosen);
  issue_simple(chosen, now);
  set_idle(false);
  return cost_->unit == Unit::Memory ? Simply::Memory : Simply::Done;
}

}  // namespace heddle
