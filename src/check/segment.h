// The time of the checks: numbers that only grow. A segment is what one static warp does between two things that may
// put its threads in order with others (a barrier, a meeting of its lanes, a fence); whoever knows of a warp up to
// segment n is ordered behind all that its threads did in segments up to n.
#pragma once

#include <cstdint>

#include "base/lane_mask.h"

namespace heddle::check {

using Segment = uint32_t;  // 0: none

// Some threads of one static warp of the grid.
struct Threads {
  uint32_t block = 0;  // of the grid
  uint32_t warp = 0;   // of the grid: block × warps of a block + warp
  LaneMask lanes;
};

}  // namespace heddle::check
