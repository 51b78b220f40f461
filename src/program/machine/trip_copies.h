// Several trips of a loop in a row, without the tests between.
#pragma once

#include "program/machine/counted_loops.h"
#include "program/machine/uses.h"

namespace heddle {

// Each copy writes registers of its own, but for the last, which leaves what is needed behind it where the loop does.
// Numbers that a trip adds are added up: a copy does not wait for the one in front of it to know its count or address.
std::vector<Instruction> trip_copies(Kernel& kernel, const CountedLoop& loop, const Uses& uses,
                                     const Literals& literals, unsigned count);

}  // namespace heddle
