// The small strong vocabulary of the house.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/id.h"
#include "base/moment.h"

namespace heddle {

using Pc = uint32_t;       // index into Kernel::code: the kernel, then the functions it reaches
using Address = uint64_t;  // an address as the kernel sees it

using Hw = Id<struct HardwareThread>;    // of a core; a block owns a range that starts on a row
using WarpId = Id<struct WarpOfCore>;    // index into a core's warp table
using BlockId = Id<struct BlockOfCore>;  // a resident block of a core

// Edges of the three clocks. How many cycles something takes is a plain number.
using CoreCycle = Moment<struct CoreClock>;
using NetworkCycle = Moment<struct NetworkClock>;  // and of the L2
using DramCycle = Moment<struct DramClock>;

inline constexpr Pc kNoPc = ~Pc{0};
inline constexpr unsigned kRow = 32;          // lanes of one register row, whatever the warp size
inline constexpr unsigned kMostSubCores = 8;  // of a core
inline constexpr size_t kApart = 128;         // bytes between what two threads of the host write: a pair of cache lines

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

}  // namespace heddle
