// Simple instructions: plain ones and branches that one group carries, all at once. How a sub-core issues them.
#pragma once

#include <algorithm>

#include "core/sub_core.h"

namespace heddle {

inline bool SubCore::is_simple(const Warp& warp, const IssueCost& cost) const {
  return cost.simple && warp.groups == 1 && warp.group.kind != Group::Kind::Phantom &&
         (cost.unit != Unit::Memory || simple_memory_);
}

// A branch is executed when it completes.
[[gnu::always_inline]] inline void SubCore::issue_simple(WarpId id, Warp& warp, const IssueCost& cost, CoreCycle now) {
  const Group& group = warp.group;
  cost_ = &cost;
  if (cost.goes_on)
    engine_.issued(id);
  else
    engine_.begin(id);
  if (cost.flow == Flow::Plain)
    engine_.issue_plain(id, warp.pc, group);
  else
    engine_.issue_control(id, warp.pc, group);
  charge(cost, group.count, false);
  port_free_ = accounted_ = now + cycle_length_;
  take_units(cost, now);
  if (cost.unit == Unit::Memory)
    to_memory(id, warp, cost, now);
  else if (!shared_pipeline_)
    until_end(now + cost.lead + cost.latency, id, warp, cost, now);
  else if (core_.lsu.nobody_waits())
    until_end(core_.lsu.pass_at_once(cost.latency, now + cost.lead), id, warp, cost, now);
  else
    behind_others(id, warp, cost, now);
  if (cost.holds > 0) warp.not_before = now + cost.holds;
  if (cost.goes_on) engine_.pass_plain(id);
}

// Who hears of it then does not ask which instruction it was, where that is plain.
[[gnu::always_inline]] inline void SubCore::until_end(CoreCycle end, WarpId id, const Warp& warp, const IssueCost& cost,
                                                      CoreCycle now) {
  Flights& flights = core_.flights;
  const bool plain = cost.flow == Flow::Plain && flights.calls(id, end);
  if (plain && knows_ends_) {
    scoreboard_->take_until(end, warp.pc, warp.group, now);
    flights.until(end);
  } else if (plain && calls_ends_ && warp.pc + 1 != warp.ask_at) {
    flights.call(id, end);
  } else {
    take_registers(flights.start_until(end, id, warp.pc, index_), warp, cost);
  }
}

inline void SubCore::behind_others(WarpId id, const Warp& warp, const IssueCost& cost, CoreCycle now) {
  const FlightId flight = core_.flights.start(id, warp.pc, 1, index_);
  core_.lsu.pass(flight, cost.latency, now + cost.lead);
  take_registers(flight, warp, cost);
}

// Shared memory mostly takes a known time.
inline void SubCore::to_memory(WarpId id, const Warp& warp, const IssueCost& cost, CoreCycle now) {
  LoadStoreUnit& lsu = core_.lsu;
  const Instruction& instruction = core_.instruction(warp.pc);
  const Access& access = engine_.context().access;
  const bool at_once = lsu.takes_at_once();
  if (at_once)
    if (const CoreCycle end = lsu.access_at_once(instruction, access, warp.group.lanes(), now + cost.lead);
        end != kNever)
      return until_end(end, id, warp, cost, now);
  const FlightId flight = core_.flights.start(id, warp.pc, 1, index_);
  if (notes_stores_) note_store(flight, id, warp.pc);
  if (at_once)
    lsu.fly(flight);
  else
    lsu.access(flight, instruction, access, warp.group.lanes(), now + cost.lead);
  take_registers(flight, warp, cost);
}

[[gnu::always_inline]] inline void SubCore::take_registers(FlightId flight, const Warp& warp, const IssueCost& cost) {
  if (scoreboard_ && cost.flow == Flow::Plain) scoreboard_->take(flight, warp.pc, warp.group);
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

// May this one go now, all of it at once, if its registers are there?
[[gnu::always_inline]] inline bool SubCore::goes_simply(const Warp& warp, const IssueCost& cost, CoreCycle now) {
  if (!is_simple(warp, cost) || cost.several) return false;
  if (warp.not_before > now || unit_free_[static_cast<size_t>(cost.unit)] > now) return false;
  return shared_pipeline_ || cost.unit != Unit::Memory || !core_.lsu.full(index_, now);
}

[[gnu::always_inline]] inline SubCore::Simply SubCore::issue_simply(CoreCycle now) {
  const bool free = now >= port_free_;
  if (free && issuing_) return Simply::Not;
  account(now);
  try_again_ = kNever;
  waits_for_stage_ = false;
  if (!free || host_.ready().empty()) {
    set_idle(false);
    return Simply::Done;
  }
  if (shared_pipeline_ && !pipeline_takes(now)) {
    set_idle(true);
    return Simply::Done;
  }
  const WarpId id = scheduled(host_.ready());
  Warp& warp = host_.warp(id);
  const IssueCost& cost = cost_at(warp.pc);
  if (!goes_simply(warp, cost, now)) return Simply::Not;
  if (scoreboard_ && !scoreboard_->free(warp.pc, warp.group, now)) return Simply::Not;
  goes(id);
  issue_simple(id, warp, cost, now);
  set_idle(false);
  return cost.unit == Unit::Memory ? Simply::Memory : Simply::Done;
}

}  // namespace heddle
