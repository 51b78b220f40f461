// Names to places: one kernel of a module, and the functions it reaches, as decoded instructions.
#pragma once

#include <vector>

#include "program/program.h"
#include "program/reach.h"

namespace heddle {

// Decodes `entry`. What cannot be decoded is added to `problems`; the kernel is then incomplete.
// Function-scope .global and .const variables are added to `variables`.
Kernel decode(const ModuleIndex& index, const ptx::Function& entry, std::vector<ptx::Variable>& variables,
              std::vector<Problem>& problems);

}  // namespace heddle
