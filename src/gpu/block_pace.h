// When the GPU hands out blocks, or puts away those that have ended, one in each cycle of a clock of its own, in cycles
// of the cores. What is not used is lost, but for the part of a core's cycle that is left.
#pragma once

#include <algorithm>

#include "base/types.h"

namespace heddle {

class BlockPace {
 public:
  // In MHz. No block clock: as many as one likes.
  BlockPace(uint64_t core_clock, uint64_t block_clock) : core_clock_(core_clock), block_clock_(block_clock) {}

  bool used() const { return block_clock_ > 0; }
  void begin(CoreCycle start) { due_ = start.count() * block_clock_; }
  // May one more go in this cycle? Then it does.
  bool take(CoreCycle cycle) {
    const uint64_t now = cycle.count() * block_clock_;
    if (due_ > now) return false;
    due_ = std::max(due_ + block_clock_, now + 1) - block_clock_ + core_clock_;
    return true;
  }
  CoreCycle next() const { return CoreCycle((due_ + block_clock_ - 1) / block_clock_); }

 private:
  const uint64_t core_clock_, block_clock_;
  uint64_t due_ = 0;  // the next one, in parts of a core's cycle, block_clock_ of which are one
};

}  // namespace heddle
