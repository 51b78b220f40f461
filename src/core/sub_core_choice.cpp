// Which warp of a sub-core goes next, and what keeps the others back.
#include <algorithm>
#include <bit>

#include "base/error.h"
#include "core/sub_core.h"

namespace heddle {

const WarpSet& SubCore::ready_of_own() {
  own_ready_.assign_both(host_.ready(), *own_);
  for_stage_.remove(host_.news());
  host_.looked(*own_);
  return own_ready_;
}

WarpId SubCore::choose(CoreCycle now) {
  if (shared_pipeline_ && any_ready() && !pipeline_takes(now)) {
    note_full_stage();
    set_idle(true);
    return kNoWarp;
  }
  stalled_ = memory_full_ = false;
  full_unit_.reset();
  const WarpSet& all = ready();
  if (all.empty()) {
    set_idle(false);
    return kNoWarp;
  }
  if (one_by_one_ && fetching_.empty()) {  // mostly the first may go
    const WarpId id = scheduled(all);
    if (may_issue(id, now)) return id;
    return choose_others(id, all, now);
  }
  return choose_others(kNoWarp, all, now);
}

// `tried`: one that cannot go.
WarpId SubCore::choose_others(WarpId tried, const WarpSet& all, CoreCycle now) {
  const WarpSet* left = &all;  // copied once somebody must be left out
  const auto copy = [&] {
    if (left != &candidates_) candidates_ = *left;
    left = &candidates_;
  };
  const auto leave_out = [&](WarpId id) {
    copy();
    candidates_.erase(id);
  };
  const auto cannot_go = [&](WarpId id) {
    if (left->contains(id)) leave_out(id);  // else it was put to sleep
    if (!many_ask_ || (!memory_full_ && !full_unit_)) return;
    copy();
    leave_out_those(candidates_, now);
    wished_.intersect(candidates_);
  };
  if (traits_.wishes) wished_.clear();
  for (const auto& waiting : fetching_) leave_out(waiting.first);
  if (tried != kNoWarp) cannot_go(tried);
  while (!left->empty()) {
    const WarpId id = first_choice(*left);
    if (may_issue(id, now)) {
      if (traits_.issue_width > 1) copy();
      return id;
    }
    if (traits_.wishes) wished_.erase(id);
    cannot_go(id);
  }
  set_idle(stalled_);
  return kNoWarp;
}

inline WarpId SubCore::first_choice(const WarpSet& left) {
  if (!traits_.wishes) return scheduled(left);
  if (left.contains(host_.wished)) return host_.wished;
  if (wished_.empty()) {
    wished_ = left;
    host_.keep_first_wishes(wished_);
  }
  return scheduled(wished_);
}

bool SubCore::may_go_beside(WarpId id, CoreCycle now, const IssueCost& first) { return may_issue(id, now, &first); }

// `beside`: what a warp takes that it would go with, on other lanes.
[[gnu::always_inline]] inline bool SubCore::may_issue(WarpId id, CoreCycle now, const IssueCost* beside) {
  const Warp& warp = host_.warp(id);
  if (warp.not_before > now) {
    try_again(warp.not_before);
    return false;
  }
  const IssueCost& cost = cost_of(id);
  if (cost.slots == 0) return true;
  if (scoreboard_ && !registers_free(id, now)) {
    wait_for_registers(id, now);
    return false;
  }
  if (!units_take(cost, now, beside)) return false;
  if (!shared_pipeline_ && passes_memory_stage(warp.pc) && !pipeline_takes(now)) {
    if (!stalled_) note_full_stage();
    stalled_ = memory_full_ = true;
    return false;
  }
  if (cost.stores && parameters_.store_runs && waits_for_run(id, now)) return false;
  return !has_cache_ || in_cache(id, now);
}

// A store, while the warp that stored last could do so again at once.
inline bool SubCore::waits_for_run(WarpId id, CoreCycle now) {
  if (storing_ == kNoWarp || storing_ == id) return false;
  const Warp& other = host_.warp(storing_);
  if (other.pc != stored_ + 1 || other.not_before > now || !host_.ready().contains(storing_)) return false;
  return cost_at(other.pc).stores && (!scoreboard_ || registers_free(storing_, now));
}

inline bool SubCore::units_take(const IssueCost& cost, CoreCycle now, const IssueCost* beside) {
  if (!cost.several) return unit_takes(cost.unit, now, beside);
  for (size_t unit = 0; unit < kUnits; ++unit)
    if (cost.busy[unit] > 0 && !unit_takes(static_cast<Unit>(unit), now, beside)) return false;
  return true;
}

inline bool SubCore::unit_takes(Unit unit, CoreCycle now, const IssueCost* beside) {
  const CoreCycle free = unit_free_[static_cast<size_t>(unit)];
  if (free <= now || (beside && beside->takes(unit))) return true;
  try_again(free);
  if (watch_ && !stalled_) watch_->stalls(IdleCause::Unit, watch_->taker_of(unit));
  stalled_ = true;
  if (traits_.issue_width == 1) full_unit_ = unit;
  return false;
}

[[gnu::always_inline]] inline bool SubCore::registers_free(WarpId id, CoreCycle now) {
  const Warp& warp = host_.warp(id);
  const Scoreboard& scoreboard = *scoreboard_;
  if (warp.groups == 1) return scoreboard.free(warp.pc, warp.group, now);
  const std::span<const Group> groups = engine_.groups_of(id);
  return std::all_of(groups.begin(), groups.end(), [&](const Group& g) { return scoreboard.free(warp.pc, g, now); });
}

inline void SubCore::leave_out_for_stage(WarpSet& left) const {
#ifdef HEDDLE_CHECKED
  left.for_each([&](WarpId id) {
    require(!for_stage_.contains(id) || passes_memory_stage(host_.warp(id).pc), "a warp has moved, and nobody heard");
  });
#endif
  left.remove(for_stage_);
}

// Who needs what the last one found full: what fails for one of them fails for all. Who was found to go for memory does
// so until there is news of it.
void SubCore::leave_out_those(WarpSet& left, CoreCycle now) {
  for_stage_.remove(host_.news());
  if (!own_) host_.looked();
  if (memory_full_ && !traits_.hears_stalls) leave_out_for_stage(left);
  left.for_each([&](WarpId id) {
    const bool memory = memory_full_ && passes_memory_stage(host_.warp(id).pc);
    if (!memory && !(full_unit_ && cost_of(id).needs(*full_unit_))) return;
    left.erase(id);
    if (memory) for_stage_.insert(id);
    if (traits_.hears_stalls && scoreboard_ && !registers_free(id, now)) wait_for_registers(id, now);
  });
  memory_full_ = false;
  full_unit_.reset();
}

// Whoever is to be told of stalls is tried again until it is known that what it waits for has missed.
inline void SubCore::wait_for_registers(WarpId id, CoreCycle now) {
  if (knows_ends_) {
    const CoreCycle there = registers_there(id, now);
    if (core_.flights.calls(id, there)) {
      core_.flights.call(id, there);
      return host_.put_to_sleep(id);
    }
    if (there != kNever) return try_again(there);
  }
  if (own_) core_.register_waits.note(host_.warp(id), index_);
  if (traits_.hears_stalls) {
    const Warp& warp = host_.warp(id);
    if (scoreboard_->wait_of(warp.pc, warp.group, core_.flights) != Wait::Memory) return;
    core_.stalled.push_back(id);
  }
  if (many_ask_) core_.sleepers.put_to_sleep(host_, id);
}

CoreCycle SubCore::registers_there(WarpId id, CoreCycle now) {
  const Warp& warp = host_.warp(id);
  const std::span<const Group> groups = warp.groups == 1 ? std::span(&warp.group, 1) : engine_.groups_of(id);
  CoreCycle there = now;
  for (const Group& group : groups) there = std::max(there, scoreboard_->there(warp.pc, group, now));
  return there;
}

// Everything else is ready: is the instruction in the cache? A miss fetches it, once.
inline bool SubCore::in_cache(WarpId id, CoreCycle now) {
  const Pc pc = host_.warp(id).pc;
  const Address line = core_.code_line(pc);
  const Address number = line >> std::countr_zero(parameters_.instruction.line);
  Address* const place = near_code_.empty() ? nullptr : &near_code_[number & (near_code_.size() - 1)];
  if (place && *place == line) return true;
  const FirstLevel::Answer::Kind answer = core_.instructions.read(line, id, now).kind;
  core_.fetch_ahead(pc, now);
  switch (answer) {
    case FirstLevel::Answer::Kind::Hit:
      if (place) *place = line;
      return true;
    case FirstLevel::Answer::Kind::Waits:
      fetching_.emplace_back(id, pc);
      ++core_.fetching;
      return false;
    case FirstLevel::Answer::Kind::Sent:
    case FirstLevel::Answer::Kind::Blocked: break;
  }
  try_again(now + 1);
  return false;
}

}  // namespace heddle
