// The meaning of an instruction for one thread: source values in, results out. The plain form of every value
// instruction; row forms of the hot ones (row/) must agree with it to the bit.
#pragma once

#include <cstdint>

#include "program/instruction.h"

namespace heddle {

// Results in the order of the instruction's destinations; a predicate is 0 or 1. Values are zero-extended to 64
// bits from the width of the register; source predicates come with their negation applied.
struct Results {
  uint64_t first = 0, second = 0;
};
using Scalar = Results (*)(const Instruction&, const uint64_t* source);

// Null for instructions that are not a function of their source values (memory, control, warp-wide …).
Scalar select_scalar(const Instruction& instruction);

}  // namespace heddle
