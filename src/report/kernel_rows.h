// The rows of a run's tables: launches of one kernel with one shape, summed.
#pragma once

#include <string>
#include <vector>

#include "run/run_result.h"

namespace heddle {

struct KernelRow {
  KernelStats stats;
  unsigned launches = 0;
};
std::vector<KernelRow> kernel_rows(const RunResult& result);  // in order of their first launch

std::string shape_text(const Dim3& size);  // "16x16", trailing ones left out

}  // namespace heddle
