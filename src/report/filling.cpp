#include "report/filling.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/breakdown.h"
#include "report/table.h"

namespace heddle {
namespace {

constexpr double kMost = 0.5;
constexpr const char* kWhat = "warning: the inputs do not fill this machine: ";

bool fills(const RunResult& run) { return !run.spec.timed || empty_share(run) <= kMost; }

uint64_t blocks(const LaunchResult& launch) {
  const Dim3& grid = launch.stats.grid;
  return uint64_t{grid.x} * grid.y * grid.z;
}

}  // namespace

double empty_share(const RunResult& run) {
  const CoreStats cores = run.timing().all_cores();
  return share(cores.empty, cores.cycles());
}

std::string filling_line(const RunResult& run) {
  if (fills(run)) return "";
  uint64_t most = 0;
  for (const LaunchResult& launch : run.launches) most = std::max(most, blocks(launch));
  return fmt::format("{}for {} of their cycles its {} cores have no block (at most {} in a launch)\n", kWhat,
                     percent(empty_share(run)), run.config.integer("cores"), grouped(most));
}

std::string filling_line(const Comparison& comparison) {
  std::string names;
  for (size_t w = 0; w < comparison.workloads.size(); ++w)
    if (const RunResult& run = comparison.at(w, 0); !fills(run))
      names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", comparison.workloads[w], percent(empty_share(run)));
  return names.empty() ? "" : fmt::format("{}cores have no block for most of their cycles on {}\n", kWhat, names);
}

}  // namespace heddle
