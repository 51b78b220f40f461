// Kernels by the names people give them: `slow` for `_Z4slowPfi`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "run/run_spec.h"

namespace heddle {

// The kernel of that name: as the compiler wrote it, or as tables show it where that is one of them only. Error that
// lists the kernels: Usage where several are meant, BadProgram where none is. `program` is for messages.
std::string kernel_named(std::string_view name, std::span<const std::string> kernels, std::string_view program);

// "slow<int>(float*, int) (_Z4slowIiEvPfi), …"
std::string listed(std::span<const std::string> kernels);

// Does the name mean this kernel?
bool means(std::string_view name, const std::string& kernel);

// Are launches of this kernel shown?
bool shown(const RunSpec& spec, const std::string& kernel);

}  // namespace heddle
