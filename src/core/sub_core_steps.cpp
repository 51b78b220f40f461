// Sequences of machine instructions that a warp goes through step by step, and the queue of special functions.
#include <algorithm>

#include "core/sub_core.h"

namespace heddle {

using For = UnitQueue::Entry::For;

const IssueCost& SubCore::step_of(WarpId id, Pc pc) const {
  const Warp& warp = host_.warp(id);
  if (warp.groups > 1 || traits_.issue_width > 1) return cost_at(pc);
  const IssueTable::Steps& steps = core_.table.steps[cost_at(pc).steps - 1U];
  const bool under_way = id < progress_.size() && progress_[id].serial == warp.serial && progress_[id].pc == pc;
  if (!under_way) return steps.front().front();
  return steps[static_cast<size_t>(progress_[id].values.farthest)][progress_[id].step];
}

// One that is not the last of its sequence: nothing is computed yet.
bool SubCore::takes_step(WarpId id, CoreCycle now) {
  Warp& warp = host_.warp(id);
  const IssueCost& cost = step_of(id, warp.pc);
  if (progress_.size() <= id) progress_.resize(id + 1U);
  Progress& progress = progress_[id];
  const bool begins = progress.serial != warp.serial || progress.pc != warp.pc;
  if (&cost == &cost_at(warp.pc)) return false;
  const IssueTable::Steps& steps = core_.table.steps[cost_at(warp.pc).steps - 1U];
  if (begins) {
    const ValueRanges values = engine_.value_ranges_of(warp.pc, warp.group);
    progress = {warp.serial, warp.pc, 0, values, ++sequences_, 0, 0, {}, {}};
  }
  if (&cost == &steps[static_cast<size_t>(progress.values.farthest)].back()) return false;
  const bool slow = ++progress.step >= steps.front().size();
  const unsigned threads = slow ? progress.values.slow : warp.group.count;
  if (watch_) watch_->end_wait(id, warp.pc);
  pc_ = warp.pc;
  cost_ = &cost;
  charge(cost, threads, false);
  port_free_ = accounted_ = now + cycle_length_;
  take_units(cost, now);
  warp.not_before = now + cost.holds;
  if (cost.specials > 0) {
    const unsigned latency = parameters_.unit(Unit::Special).latency + (cost.slots - 1U) * parameters_.interval;
    push_specials({For::Step, progress.specials, 0, 0, {}, id, 0, progress.sequence}, latency, now);
    progress.results[progress.specials++] = kNever;
  }
  if (const unsigned awaited = step_of(id, warp.pc).results; awaited > 0) {
    progress.awaited = static_cast<uint8_t>(awaited);
    progress.earliest = warp.not_before;
    warp.not_before = std::max(warp.not_before, progress.results[awaited - 1]);
  }
  return true;
}

// ---- the queue of special functions

// Those of the instruction at the port, whose result is there `latency` cycles from now if nothing keeps them back. Of
// several the first is the one that is waited for.
void SubCore::push_specials(UnitQueue::Entry first, unsigned latency, CoreCycle now) {
  const IssueCost& cost = *cost_;
  const unsigned until = parameters_.special_queue_cycles + (cost.slots - 1U) * parameters_.interval;
  first.busy = static_cast<uint16_t>(cost.busy[static_cast<size_t>(Unit::Special)] / cost.specials);
  first.since = now + until;
  first.latency = static_cast<uint16_t>(latency - std::min(latency - 1, until));
  special_.push(first);
  first.result = For::Nobody;
  for (unsigned i = 1; i < cost.specials; ++i) special_.push(first);
  special_place() = special_.full() ? kNever : now;
}

void SubCore::push_specials(FlightId flight, CoreCycle now) {
  UnitQueue::Entry entry;
  entry.result = cost_->unit == Unit::Memory ? For::Nobody : For::Flight;
  entry.flight = flight;
  push_specials(entry, cost_->lead + cost_->latency, now);
}

// At the end of a cycle: one may go if the port has issued nothing in it.
void SubCore::let_special_go(CoreCycle now) {
  if (const CoreCycle next = std::max(port_quiet(), special_.next()); next > now) return wake(next);
  const UnitQueue::Entry gone = special_.take(now);
  if (special_place() == kNever && !special_.full()) {
    special_place() = now + 1;
    look_again(now + 1);
  }
  const CoreCycle there = now + gone.latency;
  if (gone.result == For::Flight) wake(core_.flights.done(gone.flight, there));
  if (gone.result == For::Step) special_result(gone, there);
  if (!special_.empty()) wake(std::max(now + 1, special_.next()));
}

// A warp may have left its sequence, where threads were regrouped; but whoever was told to wait must hear of it.
void SubCore::special_result(const UnitQueue::Entry& of, CoreCycle there) {
  Progress& progress = progress_[of.warp];
  if (progress.sequence != of.sequence) return;
  progress.results[of.number] = there;
  Warp& warp = host_.warp(of.warp);
  if (warp.not_before != kNever || progress.awaited != of.number + 1U) return;
  warp.not_before = std::max(progress.earliest, there);
  look_again(warp.not_before);
}

}  // namespace heddle
