// The branches of a run for a person: where threads diverge, how often, and what compaction could do about it.
#pragma once

#include <string>

#include "run/run_result.h"

namespace heddle {

std::string branch_table(const RunResult& result);

}  // namespace heddle
