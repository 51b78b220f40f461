// What heddle_run() is asked for, as a run.
#pragma once

#include "library/heddle.h"
#include "run/run_spec.h"

namespace heddle::library {

// Without arguments. Error (Usage) for what cannot be a launch; names and values of options are asked by check_runs().
RunSpec spec_of(const heddle_launch& launch);

}  // namespace heddle::library
