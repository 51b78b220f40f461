// How many trips a loop does, where the text says it.
#pragma once

#include "program/machine/counted_loops.h"

namespace heddle {

// None: where it begins to count or where it ends is no number, or is so far that the count may wrap around.
std::optional<uint64_t> known_trips(const Kernel& kernel, const CountedLoop& loop, const Literals& literals);

}  // namespace heddle
