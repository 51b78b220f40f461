// Which instructions do more than compute, load and store.
#pragma once

#include "program/instruction.h"

namespace heddle {

bool is_atomic(const Instruction& instruction);
// Branches, what waits for other threads or asks which are there, and what others may see beyond their memory.
bool has_effects(const Instruction& instruction);

}  // namespace heddle
