// A run for a person at a terminal.
#pragma once

#include <string>

#include "report/run_result.h"

namespace heddle {

std::string run_table(const RunResult& result);
std::string shape_text(const Dim3& size);  // "16x16", trailing ones left out

}  // namespace heddle
