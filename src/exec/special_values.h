// What special registers hold.
#pragma once

#include "exec/context.h"

namespace heddle {

// In a thread of the block. Where they differ by thread, the block does not matter.
uint64_t value_of(Special special, const LaunchInfo& launch, const BlockState& block, unsigned thread);

}  // namespace heddle
