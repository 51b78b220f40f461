// The threads one instruction acts on: a row of 32 neighbours with a mask, or a list of up to 32 threads.
#pragma once

#include "base/lane_mask.h"
#include "base/types.h"

namespace heddle {

struct Lanes {
  LaneMask mask;                // who acts: lanes of the row, or positions in the list
  Hw first{0};                  // row: the thread of bit 0
  const Hw* threads = nullptr;  // list: the thread of each bit

  bool is_row() const { return threads == nullptr; }
  Hw thread(unsigned i) const { return threads ? threads[i] : static_cast<Hw>(first + i); }
};

}  // namespace heddle
