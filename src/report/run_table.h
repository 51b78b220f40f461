// A run for a person at a terminal.
#pragma once

#include <string>

#include "run/run_result.h"

namespace heddle {

std::string run_table(const RunResult& result);

}  // namespace heddle
