// A command, run to its end.
#pragma once

#include <string>
#include <vector>

namespace heddle::runtime {

// Runs `words` (the program, found along PATH, and its arguments). Its exit code; 128 + the signal that ended it.
// Error (Usage) if it cannot be started. What it says on standard error goes to the file `errors`, if there is one.
int run_command(const std::vector<std::string>& words, const std::string& errors = "");

}  // namespace heddle::runtime
