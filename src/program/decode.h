// Names to places: one kernel of a module, and the functions it reaches, as decoded instructions.
#pragma once

#include <vector>

#include "program/program.h"

namespace heddle {

// Decodes `entry`. What cannot be decoded is added to `problems`; the kernel is then incomplete.
// Function-scope .global and .const variables are added to `variables`.
Kernel decode(const ptx::Module& module, const ptx::Function& entry, std::vector<ptx::Variable>& variables,
              std::vector<Problem>& problems);

// Function addresses, as a kernel sees them: this plus 16 times the function's index in the module.
inline constexpr uint64_t kFunctionBase = 0x0F00'0000'0000;

}  // namespace heddle
