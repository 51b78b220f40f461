// Atomics that all threads of a warp aim at one address, as the assembler can tell: it makes one operation of them, by
// the lane that votes for all.
#pragma once

#include "program/kernel.h"

namespace heddle {

void join_atomics(Kernel& kernel);  // Instruction::joined

}  // namespace heddle
