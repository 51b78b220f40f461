#include "schedule/registry.h"

#include <fmt/format.h>

#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "schedule/greedy_then_oldest.h"
#include "schedule/round_robin.h"

namespace heddle {
namespace {

template <class S>
std::unique_ptr<Scheduler> make() {
  return std::make_unique<S>();
}

constexpr SchedulerRow kSchedulers[] = {
    {"rr", "the next ready warp after the last one issued", &make<RoundRobin>},
    {"lrr", "loose round robin: the same rule", &make<RoundRobin>},
    {"gto", "the last warp as long as it is ready, then the oldest", &make<GreedyThenOldest>},
};

}  // namespace

std::span<const SchedulerRow> schedulers() { return kSchedulers; }

const SchedulerRow& scheduler_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SchedulerRow& row : kSchedulers) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  throw Error(ExitCode::Usage, fmt::format("no scheduler '{}'{} ({})", name, did_you_mean(name, names), joined(names)));
}

}  // namespace heddle
