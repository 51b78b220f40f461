// The tables of a run at cycle level: what each kernel took, where its cycles went, and what memory did.
#pragma once

#include <string>

#include "run/run_result.h"

namespace heddle {

std::string machine_line(const RunResult& result);  // "preset tbc-hpca11: 30 cores, warps of 32 on 8 lanes, …"
std::string timing_tables(const RunResult& result);

}  // namespace heddle
