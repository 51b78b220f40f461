// Independent runs on all cores of the host; the results do not depend on which ends first.
#pragma once

#include <functional>
#include <vector>

#include "run/run_result.h"

namespace heddle::cli {

struct ManyRuns {
  size_t count = 0;
  unsigned jobs = 0;  // at once; 0: one per core of the host
  bool quiet = false;
  std::function<std::string(size_t)> name{}, kind{};  // of a run, for the progress line; runs of a kind take as long
};

// run(0) … run(count - 1), called from several threads; a progress line unless quiet.
void for_many(const ManyRuns& runs, const std::function<void(size_t)>& run);
// What they return, in their order.
std::vector<RunResult> run_many(const ManyRuns& runs, const std::function<RunResult(size_t)>& run);

}  // namespace heddle::cli
