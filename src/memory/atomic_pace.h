// How long a slice is busy with atomic operations whose cycles are those of another clock: what is left of a cycle
// counts for the next operation, if that follows at once.
#pragma once

#include "memory/clock.h"

namespace heddle {

class AtomicPace {
 public:
  // MHz; an atomic clock of 0: cycles of the network.
  AtomicPace(uint64_t network_clock, uint64_t atomic_clock)
      : network_clock_(atomic_clock == 0 ? 1 : network_clock),
        atomic_clock_(atomic_clock == 0 ? 1 : atomic_clock),
        beside_(atomic_clock > 0) {}

  bool beside() const { return beside_; }  // it is another clock
  // When so many cycles from now on have passed.
  NetworkCycle after(NetworkCycle now, uint64_t cycles) { return busy(now, cycles * network_clock_); }
  // The same of cycles of the network.
  NetworkCycle later(NetworkCycle now, uint64_t cycles) { return busy(now, cycles * atomic_clock_); }

 private:
  NetworkCycle busy(NetworkCycle now, uint64_t parts) {
    const uint64_t from = now.count() * atomic_clock_;
    if (done_ + atomic_clock_ <= from) done_ = from;
    done_ += parts;
    return NetworkCycle((done_ + atomic_clock_ - 1) / atomic_clock_);
  }

  uint64_t network_clock_, atomic_clock_;
  bool beside_;
  uint64_t done_ = 0;  // the last, in parts of a network cycle, atomic_clock_ of which are one
};

}  // namespace heddle
