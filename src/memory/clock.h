// Three clocks on one line of time. A tick is a fraction of a cycle that divides the periods of all clocks, so that
// edges are exact integers: 1300, 650 and 800 MHz have 8, 16 and 13 ticks.
#pragma once

#include <bit>
#include <cstdint>

#include "base/types.h"

namespace heddle {

using Tick = Moment<struct LineOfTime>;

template <class Cycle>
class Clock {
 public:
  explicit Clock(uint64_t period = 1)
      : period_(period), shift_(std::has_single_bit(period) ? std::countr_zero(period) : kNoShift) {}
  uint64_t period() const { return period_; }  // ticks of a cycle
  Tick time(Cycle cycle) const { return Tick(cycle.count() * period_); }
  bool edge(Tick time) const { return time % period_ == 0; }
  // The last edge not behind `time`.
  Cycle at_or_before(Tick time) const { return Cycle(whole(time.count())); }
  // The first edge not before `time`.
  Cycle at_or_after(Tick time) const { return Cycle(whole(time.count() + period_ - 1)); }
  // The first edge behind `time`.
  Cycle after(Tick time) const { return Cycle(whole(time.count()) + 1); }

 private:
  static constexpr int kNoShift = 64;
  uint64_t whole(uint64_t ticks) const { return shift_ != kNoShift ? ticks >> shift_ : ticks / period_; }

  uint64_t period_;
  int shift_;  // periods that are a power of two need no division
};

// A clock and its last edge not behind the present. Following it in small steps needs no division.
template <class Cycle>
class Following {
 public:
  explicit Following(const Clock<Cycle>& clock) : clock_(clock) {}
  void advance(Tick now) {
    const uint64_t passed = now - time_, period = clock_.period();
    if (passed < period) return;
    cycle_ = passed < 2 * period ? cycle_ + 1 : clock_.at_or_before(now);
    time_ = clock_.time(cycle_);
  }
  bool edge(Tick now) const { return time_ == now; }
  Cycle cycle() const { return cycle_; }
  Cycle at_or_after(Tick now) const { return cycle_ + (time_ != now); }

 private:
  Clock<Cycle> clock_;
  Tick time_;
  Cycle cycle_;
};

struct Clocks {
  Clock<CoreCycle> core;
  Clock<NetworkCycle> network;
  Clock<DramCycle> memory;
  static Clocks of(uint64_t core_mhz, uint64_t network_mhz, uint64_t memory_mhz);
};

}  // namespace heddle
