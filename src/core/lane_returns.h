// Which lanes of a load have their data, for mechanisms that ask (Traits::hears_returns).
//
// Life cycle of a load: start() with its lines; then for each of them arrives(), with the cycle at which its bytes are
// there, in any order. A lane has its data when all lines it touches have come; it has hit if none of them missed.
// take_due() hands out, cycle by cycle, the lanes that have.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "core/flights.h"
#include "memory/coalescer.h"

namespace heddle {

class LaneReturns {
 public:
  void start(FlightId flight, std::span<const LineAccess> lines) {
    if (loads_.size() <= flight) loads_.resize(flight + 1);
    loads_[flight].lines.assign(lines.begin(), lines.end());
    loads_[flight].there.fill({});
    loads_[flight].missed = {};
  }
  void arrives(FlightId flight, Address line, unsigned bytes, CoreCycle when, bool hit) {
    Load& load = loads_[flight];
    const auto at = std::find_if(load.lines.begin(), load.lines.end(),
                                 [&](const LineAccess& each) { return each.address - line < bytes; });
    if (at == load.lines.end()) return;  // an access that is not followed
    LaneMask lanes = at->who;
    load.lines.erase(at);
    if (!hit) load.missed |= lanes;
    for_each_lane(lanes, [&](unsigned lane) { load.there[lane] = std::max(load.there[lane], when); });
    for (const LineAccess& missing : load.lines) lanes = lanes.without(missing.who);
    for_each_lane(lanes, [&](unsigned lane) { book(flight, lane, load.there[lane]); });
  }

  // Calls f(flight, lanes, hit) for those whose data is there at `now`, in the order of their loads.
  template <class F>
  void take_due(CoreCycle now, F&& f) {
    if (next_ > now) return;
    std::vector<Due> due;
    std::erase_if(due_, [&](const Due& each) {
      if (each.when <= now) due.push_back(each);
      return each.when <= now;
    });
    next_ = kNever;
    for (const Due& each : due_) next_ = std::min(next_, each.when);
    std::sort(due.begin(), due.end(), [](const Due& a, const Due& b) { return a.flight < b.flight; });
    for (const Due& each : due) f(each.flight, each.lanes, each.hit);
  }
  CoreCycle next() const { return next_; }

 private:
  struct Load {
    std::vector<LineAccess> lines;      // that have not come
    std::array<CoreCycle, 32> there{};  // by lane: the latest of those that have
    LaneMask missed;                    // lanes that a line from below was for
  };
  struct Due {
    FlightId flight;
    CoreCycle when;
    LaneMask lanes;
    bool hit;
  };

  void book(FlightId flight, unsigned lane, CoreCycle when) {
    next_ = std::min(next_, when);
    const bool hit = !loads_[flight].missed.has(lane);
    for (Due& each : due_)
      if (each.flight == flight && each.when == when && each.hit == hit) return each.lanes.add(lane);
    due_.push_back({flight, when, LaneMask::of(lane), hit});
  }

  std::vector<Load> loads_;  // by flight
  std::vector<Due> due_;
  CoreCycle next_ = kNever;
};

}  // namespace heddle
