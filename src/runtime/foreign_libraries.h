// Libraries of others that a CUDA program may ask for, and that nothing here stands in for: said by name before the
// program is run, since what it makes of their errors rarely says so.
#pragma once

#include <string>
#include <vector>

#include "runtime/executable.h"

namespace heddle::runtime {

// A sentence for each, in the order in which the program names them.
std::vector<std::string> notes_on_foreign_libraries(const Executable& executable);

}  // namespace heddle::runtime
