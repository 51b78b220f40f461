// Three clocks on one line of time. A tick is a fraction of a cycle that divides the periods of all clocks, so that
// edges are exact integers: 1300, 650 and 800 MHz have 8, 16 and 13 ticks.
#pragma once

#include <cstdint>
#include <limits>

#include "base/types.h"

namespace heddle {

using Tick = uint64_t;
inline constexpr Tick kNever = std::numeric_limits<Tick>::max();

class Clock {
 public:
  explicit Clock(Tick period = 1) : period_(period) {}
  Tick period() const { return period_; }
  Tick time(Cycle cycle) const { return cycle * period_; }
  bool edge(Tick time) const { return time % period_ == 0; }
  Cycle at_or_after(Tick time) const { return (time + period_ - 1) / period_; }  // first edge not before `time`
  Cycle after(Tick time) const { return time / period_ + 1; }                    // first edge behind `time`

 private:
  Tick period_;
};

// A clock and its last edge not behind the present. Following it in small steps needs no division.
class Following {
 public:
  explicit Following(const Clock& clock) : period_(clock.period()) {}
  void advance(Tick now) {
    if (now - time_ < period_) return;
    cycle_ = now - time_ < 2 * period_ ? cycle_ + 1 : now / period_;
    time_ = cycle_ * period_;
  }
  bool edge(Tick now) const { return time_ == now; }
  Cycle cycle() const { return cycle_; }
  Cycle at_or_after(Tick now) const { return cycle_ + (time_ != now); }

 private:
  Tick period_, time_ = 0;
  Cycle cycle_ = 0;
};

struct Clocks {
  Clock core, network, memory;
  static Clocks of(uint64_t core_mhz, uint64_t network_mhz, uint64_t memory_mhz);
};

}  // namespace heddle
