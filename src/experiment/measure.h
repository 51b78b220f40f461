// Figures from the statistics of runs.
//
// A workload counts in a figure only where every run that the figure needs of it ended with a right result and has the
// statistic; who does not is named with the reason.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "run/store.h"

namespace heddle {

// The record of a run by name on a workload, or null if it has not been run.
using Records = std::function<const Record*(const std::string& run, const std::string& workload)>;

struct WorkloadValue {
  std::string workload;
  std::optional<double> value;
  std::string missing;  // why there is none: "FAILED under dwf", "not measured", "no such statistic"
};

struct Measured {
  std::optional<double> figure;          // none with Fold::Each, and where no workload has a value
  std::vector<WorkloadValue> workloads;  // as folded; with `via`, of against over
};

// `passed` and `refused` (1 or 0, of every run), or a field of `total` by its path, "caches.l1.misses"; true is 1, an
// object is the sum of its numbers.
std::optional<double> field_of(const Record& record, const std::string& path);
std::optional<double> statistic_of(const Record& record, const Statistic& statistic);

std::string outcome_of(const Record& record);  // "FAILED", "refused", … of a run that did not pass

std::optional<double> folded(Fold fold, const std::vector<double>& values, const Condition* is);

Measured measure_part(const Part& part, const Records& records);

}  // namespace heddle
