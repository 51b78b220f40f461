// Atomics of shared memory that the machine does not have: additions of floating point and of 64 bits. The assembler
// makes a loop of each: load, add, exchange if the word is still the same. Of the lanes on one word one gets through a
// trip, and of all warps that have read it at one time one.
#pragma once

#include "program/kernel.h"

namespace heddle {

bool loop_atomics(Kernel& kernel);  // any? The analyses must be made again

}  // namespace heddle
