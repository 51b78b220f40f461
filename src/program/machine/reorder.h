// The instructions of each basic block in a back end's order.
#pragma once

#include "program/kernel.h"

namespace heddle {

// By the list scheduler of block_schedule.h. Blocks stay where they are, and what ends one stays its end, so that the
// analyses by block hold on. True: the code has changed.
bool reorder(Kernel& kernel);

}  // namespace heddle
