// Divisions and roots have a short way for usual numbers and call a function for the others: which numbers these are,
// and what the function takes.
//
// Both were asked of an H200 (bench/hardware/counters/slow_paths.cu): all pairs of exponents timed, and the
// instructions of values of each sort counted. Special: zero, infinite, no number, the root of a negative. Extreme: the
// quotient, or what it is made of, is near the end of the exponents, or beyond.
#pragma once

#include "program/instruction.h"

namespace heddle {

enum class ValueRange : uint8_t { Usual, Special, Extreme };
inline constexpr size_t kValueRanges = 3;

// Of the threads of a warp: the farthest from usual, and how many are not usual.
struct ValueRanges {
  ValueRange farthest = ValueRange::Usual;
  unsigned slow = 0;
};

struct SlowPath {
  uint8_t slots = 0;  // machine instructions beside those of the short way
  uint16_t cycles = 0;
};

// An instruction without a slow path has only usual values.
bool has_slow_path(const Instruction& instruction);
ValueRange value_range(const Instruction& instruction, uint64_t first, uint64_t second);
SlowPath slow_path(const Instruction& instruction, ValueRange range);

}  // namespace heddle
