// The small strong vocabulary of the house.
#pragma once

#include <cstdint>

namespace heddle {

using Pc = uint32_t;         // index into Kernel::code: the kernel, then the functions it reaches
using Hw = uint16_t;         // hardware thread of a core; a block owns a range that starts on a row
using WarpId = uint16_t;     // index into a core's warp table
using BlockSlot = uint16_t;  // a resident block of a core
using Cycle = uint64_t;
using Address = uint64_t;  // an address as the kernel sees it

inline constexpr Pc kNoPc = ~Pc{0};
inline constexpr unsigned kRow = 32;  // lanes of one register row, whatever the warp size

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

}  // namespace heddle
