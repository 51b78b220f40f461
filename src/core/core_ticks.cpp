// What a core does in a cycle, and in many.
#include <algorithm>
#include <bit>
#include <utility>

#include "core/core.h"
#include "core/sub_core_simple.h"

namespace heddle {
namespace {

// Without a branch.
CoreCycle least_of(const std::array<CoreCycle, kMostSubCores>& due) {
  static_assert(kMostSubCores == 8);
  const CoreCycle low = std::min(std::min(due[0], due[1]), std::min(due[2], due[3]));
  return std::min(low, std::min(std::min(due[4], due[5]), std::min(due[6], due[7])));
}

}  // namespace

void Core::tick(CoreCycle now) {
  if (lean_) {
    run_lean(now, now);
    return;
  }
  if (parts_.watch) account(now);  // what is waited for is known before anything changes
  parts_.engine.host().now = now;
  parts_.engine.context().clock = now.count();
  parts_.flights.advance(now);
  if (parts_.follows_returns) hear_returns(now);
  bool changed = complete_due(now);
  const bool moved = parts_.lsu.tick(now);
  if (several_) {
    if (moved) wake_for_stage(now);
    changed = false;  // who may go has been woken
  } else {
    changed = changed || moved;
  }
  issue(now, changed);
  if (parts_.drain.used()) parts_.drain.take_due(now, [&](BlockId block) { left_.push_back(block); });
  plan(now);
}

[[gnu::always_inline]] inline bool Core::complete_due(CoreCycle now) {
  return parts_.flights.complete_due(
      now, [&](WarpId id) { called(id, now); }, [&](FlightId id, const Flight& flight) { complete(id, flight); });
}

// Its registers are there, or, where it has one instruction under way, that is done.
[[gnu::always_inline]] inline void Core::called(WarpId id, CoreCycle now) {
  if (several_) sub_cores_[parts_.engine.host().part_of(id)].wake(now);
  if (parts_.scoreboard)
    parts_.engine.host().wake(id);
  else
    parts_.engine.complete_plain(id);
}

[[gnu::always_inline]] inline void Core::complete(FlightId id, const Flight& flight) {
  if (parts_.drain.used()) parts_.drain.completed(id, parts_.engine.host().now);
  if (parts_.watch) tell_completed(id, flight);
  const IssueCost& cost = parts_.table.costs[flight.pc];
  if (!cost.goes_on) {
    if (several_) wake_all(parts_.engine.host().now);
    return cost.flow == Flow::Plain ? parts_.engine.complete_plain(flight.warp) : parts_.engine.complete(flight.warp);
  }
  if (several_) wake_readers(id);
  parts_.sleepers.wake(parts_.engine.host(), parts_.scoreboard->rows_of(id));
  parts_.scoreboard->release(id);
}

// Lanes whose data is there may go on, and the mechanism hears of it, unless all of their warp has left meanwhile.
void Core::hear_returns(CoreCycle now) {
  parts_.returns.take_due(now, [&](FlightId id, LaneMask lanes, bool hit) {
    const CoreParts::Load& load = parts_.loads[id];
    const bool mechanism_hears = parts_.traits.hears_returns;
    if (mechanism_hears && parts_.scoreboard) {
      parts_.sleepers.wake(parts_.engine.host(), parts_.scoreboard->rows_of(id));
      parts_.scoreboard->release(id, load.group.group().part(lanes));
    }
    const Host& host = parts_.engine.host();
    if (load.pc == kNoPc || !host.is_open(load.parent, load.age)) return;
    if (host.watch.wants(Observer::kMemory))
      host.watch.tell<&Observer::returned>(Observer::kMemory, LanesReturned{load.parent, load.pc, lanes});
    if (!mechanism_hears) return;
    tell_wake({IdleCause::Memory, load.pc, load.parent, now});
    parts_.engine.mechanism().returned(load.parent, lanes, hit);
    wake_all(now);
  });
}

// ---- issue

inline void Core::issue(CoreCycle now, bool changed) {
  const bool starved = try_all(now, changed);
  if (parts_.traits.hears_stalls) [[unlikely]]
    hear_stalls(now, starved);
}

// Where nothing of the core can go the mechanism may still have somebody.
void Core::hear_stalls(CoreCycle now, bool starved) {
  bool told = tell_stalls();  // behind the issue: it may change who is ready
  if (starved && parts_.engine.mechanism().starved()) {
    try_all(now, true);
    told = tell_stalls() || told;
  }
  if (!told) return;
  for (SubCore& sub_core : sub_cores_) sub_core.look_again(now + 1);
}

// True if all were asked, and have nothing.
inline bool Core::try_all(CoreCycle now, bool changed) {
  bool starved = true;
  const unsigned last = static_cast<unsigned>(sub_cores_.size()) - 1;  // their number is a power of two
  const unsigned turned = parts_.flights.take_turned();
  unsigned at = now.count() & last;
  for (size_t left = sub_cores_.size(); left > 0; --left, at = (at + 1) & last) {
    if (changed || now >= parts_.due[at]) {
      starved = sub_cores_[at].issue(now) == SubCore::Found::Nothing && starved;
      asked_ |= 1U << at;
      continue;
    }
    starved = false;
    if ((turned >> at & 1) != 0) sub_cores_[at].reconsider(now);
  }
  return starved;
}

// Warps that could go but for a load that has missed: the mechanism hears of each once per instruction.
bool Core::tell_stalls() {
  bool any = false;
  const Host& host = parts_.engine.host();
  for (const WarpId id : parts_.stalled) {
    const Warp& warp = host.warp(id);
    if (warp.state != WarpState::Ready) continue;
    if (told_.size() <= id) told_.resize(id + 1U);
    const std::pair<uint64_t, Pc> what{warp.serial + 1, warp.pc};
    if (std::exchange(told_[id], what) == what) continue;
    if (host.watch.wants(Observer::kMemory))
      host.watch.tell<&Observer::stalled>(Observer::kMemory, Stalled{id, warp.pc});
    parts_.engine.mechanism().stalled(id);
    any = true;
  }
  parts_.stalled.clear();
  return any;
}

// When there is something to do again.
[[gnu::always_inline]] inline void Core::plan(CoreCycle now) {
  next_ = std::min({parts_.flights.next(now + 1), parts_.lsu.next(now), parts_.returns.next()});
  if (parts_.drain.used()) next_ = std::min(next_, parts_.drain.next());
  for (asked_ |= always_; asked_ != 0; asked_ &= asked_ - 1)
    sub_cores_[static_cast<size_t>(std::countr_zero(asked_))].plan(now);
  if (several_ && !parts_.engine.host().news().empty())
    for (SubCore& sub_core : sub_cores_) sub_core.hear_news(now);
  next_ = std::min(next_, least_of(parts_.due));
}

// What tick() does, of a core that is lean.
CoreCycle Core::run_lean(CoreCycle now, CoreCycle end) {
  using Simply = SubCore::Simply;
  SubCore& sub_core = sub_cores_.front();
  Flights& flights = parts_.flights;
  LoadStoreUnit& lsu = parts_.lsu;
  for (;;) {
    parts_.engine.host().now = now;
    parts_.engine.context().clock = now.count();
    flights.advance(now);
    bool changed = complete_due(now);
    bool seen = !left_.empty();  // from outside
    bool calm = lsu.calm();
    if (!calm && lsu.is_due(now)) {
      changed = lsu.work(now) || changed;
      seen = true;
    }
    if (!changed && now < sub_core.due()) {
      sub_core.reconsider(now);
    } else if (const Simply issued = sub_core.issue_simply(now); issued != Simply::Done) {
      if (issued == Simply::Not) sub_core.issue(now);
      seen = seen || issued == Simply::Not || !lsu.nobody_waits();
      calm = false;
    }
    next_ = sub_core.plan(now);
    if (!calm) next_ = std::min(next_, lsu.next(now));
    if (next_ > now + 1) next_ = std::min(next_, flights.next(now + 1));
    if (seen || next_ >= end) return now;
    now = std::max(next_, now + 1);
  }
}

void Core::wake_all(CoreCycle at) {
  for (SubCore& sub_core : sub_cores_) sub_core.wake(at);
  next_ = std::min(next_, at);
}

void Core::wake_readers(FlightId id) {
  unsigned waiting = parts_.register_waits.take(parts_.scoreboard->rows_of(id));
  for (; waiting != 0; waiting &= waiting - 1)
    sub_cores_[static_cast<size_t>(std::countr_zero(waiting))].wake(parts_.engine.host().now);
}

// What has moved may have missed, too, which mechanisms that hear of stalls want to know.
void Core::wake_for_stage(CoreCycle now) {
  for (unsigned i = 0; i < sub_cores_.size(); ++i) {
    SubCore& sub_core = sub_cores_[i];
    const bool waits = sub_core.waits_for_stage(), full = waits && parts_.lsu.full(i, now);
    if ((waits && !full) || parts_.traits.hears_stalls) sub_core.wake(now);
    if (full) sub_core.look_again(parts_.lsu.next_place());
  }
}

}  // namespace heddle
