// Whether the inputs of a run fill its machine. Where its cores had no block for most of their cycles, mechanisms are
// compared on what a few cores do, and ranks say little.
#pragma once

#include <string>

#include "report/comparison.h"

namespace heddle {

double empty_share(const RunResult& run);  // of the cycles of all cores, those without a block

// A line that says so where it is more than half, else "".
std::string filling_line(const RunResult& run);
std::string filling_line(const Comparison& comparison);

}  // namespace heddle
