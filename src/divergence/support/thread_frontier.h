// The thread frontier of a block: the blocks behind it, in the compiler's order, where threads of its warp may wait
// while it runs (Diamos and others, MICRO 2011). For a unit that knows no more than that: it has to go through all of
// them.
#pragma once

#include <vector>

#include "program/kernel.h"

namespace heddle {

// By block: the place (Kernel::block_order) of the first block of its frontier, or of none.
inline constexpr uint32_t kNoFrontier = ~uint32_t{0};
std::vector<uint32_t> first_of_frontiers(const Kernel& kernel);

}  // namespace heddle
