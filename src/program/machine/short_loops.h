// Which loops do several trips at once, and how many: those that the assembler unrolls (docs/machine-code.md).
#pragma once

#include "program/machine/counted_loops.h"

namespace heddle {

// Not those that it is told to leave as they are, and none with fences, branches or sequences in them.
bool may_be_unrolled(const Kernel& kernel, const CountedLoop& loop, const CostTable& table, const Literals& literals);
// Of those whose trips are counted only when they run.
bool is_short(const Kernel& kernel, const CountedLoop& loop);
// Of those whose trips are known; none: it stays a loop of one.
std::optional<unsigned> trips_at_once(const Kernel& kernel, const CountedLoop& loop, uint64_t trips);

}  // namespace heddle
