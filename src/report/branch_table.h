// The branches of a run for a person: where threads part, how often, and what compaction could do about it.
#pragma once

#include <string>

#include "run/run_result.h"

namespace heddle {

// What a table says that has no source lines to show.
inline constexpr std::string_view kNoLines =
    "(the PTX has no source lines: nvcc -lineinfo puts them in, heddle cc does by itself)\n";

std::string branch_table(const RunResult& result);

}  // namespace heddle
