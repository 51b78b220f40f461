// Places and threads of a launch, for a person.
#pragma once

#include <string>

#include "exec/context.h"

namespace heddle::check {

// What makes two places one to a person: the line of the source, or of the PTX where it has none.
std::string line_of(const Kernel& kernel, Pc pc);
// "block (1,0,0), thread (3,0,0)", of a thread of any block of the grid.
std::string thread_text(const LaunchInfo& launch, uint32_t block, unsigned thread);

}  // namespace heddle::check
