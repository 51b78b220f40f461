// Workloads under several mechanisms, side by side.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "run/run_result.h"

namespace heddle {

struct Comparison {
  std::vector<std::string> workloads, mechanisms;
  std::vector<RunResult> runs;  // workloads × mechanisms, row by row

  const RunResult& at(size_t workload, size_t mechanism) const {
    return runs[workload * mechanisms.size() + mechanism];
  }
  bool timed() const { return !runs.empty() && runs[0].spec.timed; }
};

// One run against the first mechanism's run of the same workload; none if one of the two has not finished.
// Emulation: active threads per issue slot. Cycle level: IPC.
std::optional<double> against_first(const Comparison& comparison, size_t workload, size_t mechanism);

bool finished(const RunResult& run);           // it can be compared
std::string outcome_of(const RunResult& run);  // "passed", "refused", …
std::string outcome_of(ExitCode code);
double idle_share(const RunResult& run);  // W0_Mem + W0_Idle, of the cycles of all cores

// One mechanism over all workloads that both it and the first mechanism ran right.
struct ComparisonMean {
  unsigned workloads = 0;
  double simd_efficiency = 0;  // arithmetic mean
  double idle = 0;             // cycle level: arithmetic mean
  double against_first = 0;    // emulation: arithmetic mean of the ratios; cycle level: harmonic mean
};
ComparisonMean mean_of(const Comparison& comparison, size_t mechanism);

// With taint: how well divergent branches compact, of the mechanisms that are block-wide.
bool has_rates(const Comparison& comparison);
std::string rates_table(const Comparison& comparison);
nlohmann::ordered_json mean_rates_json(const Comparison& comparison, size_t mechanism);

// Of --scores: what became of the decisions to wait at branches.
bool has_decisions(const Comparison& comparison);
std::string decisions_table(const Comparison& comparison);

std::string comparison_table(const Comparison& comparison);
nlohmann::ordered_json comparison_json(const Comparison& comparison);

}  // namespace heddle
