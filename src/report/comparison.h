// Workloads under several mechanisms, side by side.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/run_result.h"

namespace heddle {

struct Comparison {
  std::vector<std::string> workloads, mechanisms;
  std::vector<RunResult> runs;  // workloads × mechanisms, row by row

  const RunResult& at(size_t workload, size_t mechanism) const {
    return runs[workload * mechanisms.size() + mechanism];
  }
};

// One mechanism over all workloads that both it and the first mechanism ran right.
struct ComparisonMean {
  unsigned workloads = 0;
  double simd_efficiency = 0;  // arithmetic mean
  double against_first = 0;    // arithmetic mean of the ratios of active threads per issue slot
};
ComparisonMean mean_of(const Comparison& comparison, size_t mechanism);

std::string comparison_table(const Comparison& comparison);
nlohmann::ordered_json comparison_json(const Comparison& comparison);

}  // namespace heddle
