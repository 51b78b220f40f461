// --trace-steps: every issue slot on a line, and the mechanism's state whenever it has changed.
#pragma once

#include <cstdio>

#include "core/warp_engine.h"

namespace heddle {

// Columns: slot, block, warp, PC, the thread in each lane (numbered within its block; - where a lane is empty), and
// the instruction. Lines that start with | show the state in which the mechanism hands out the next slot.
Tracer step_printer(std::FILE* to);

}  // namespace heddle
