#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "validation/validation.h"

namespace heddle {
namespace {

constexpr double kWorthSaying = 0.1;  // of all cycles

}  // namespace

std::vector<CycleClass> spent_of(const CoreStats& cores) {
  const uint64_t issue = std::accumulate(cores.issue_cycles.begin(), cores.issue_cycles.end(), uint64_t{0});
  std::vector<CycleClass> spent{{"issue", issue},
                                {"memory", cores.w0_mem},
                                {"pipeline", cores.stall},
                                {"other waits", cores.w0_idle - cores.empty},
                                {"no block", cores.empty}};
  std::stable_sort(spent.begin(), spent.end(),
                   [](const CycleClass& a, const CycleClass& b) { return a.cycles > b.cycles; });
  return spent;
}

std::string spent_text(const std::vector<CycleClass>& spent) {
  uint64_t all = 0;
  for (const CycleClass& each : spent) all += each.cycles;
  std::string text;
  for (const CycleClass& each : spent)
    if (share(each.cycles, all) >= kWorthSaying)
      text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", each.name, 100 * share(each.cycles, all));
  return text;
}

}  // namespace heddle
