// Loads that give the same in every trip of a loop are done once, before it.
//
// What NVIDIA's assembler does, by probes: a load moves whose address does not change in the loop and that every trip
// does first (in the block where a trip begins), unless something in the loop may write the same memory: a store or an
// atomic of its space, a barrier, a fence, a call. Loads of what nobody writes (.nc) pass those as well. Volatile ones
// stay, and those of a loop that waits for others.
#pragma once

#include "program/kernel.h"

namespace heddle {

// True if something moved; then the analyses must be made again.
bool move_loads_out(Kernel& kernel);

}  // namespace heddle
