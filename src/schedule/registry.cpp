#include "schedule/registry.h"

#include <fmt/format.h>

#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "schedule/greedy_then_next.h"
#include "schedule/greedy_then_oldest.h"
#include "schedule/greedy_then_youngest.h"
#include "schedule/oldest_block.h"
#include "schedule/random_order.h"
#include "schedule/rotating_block.h"
#include "schedule/round_robin.h"
#include "schedule/sticky_block.h"
#include "schedule/two_level.h"

namespace heddle {
namespace {

template <class S>
std::unique_ptr<Scheduler> make(const Host& host, const Config&) {
  return std::make_unique<S>(host);
}

template <class S>
std::unique_ptr<Scheduler> make_configured(const Host& host, const Config& config) {
  return std::make_unique<S>(host, config);
}

constexpr SchedulerRow kSchedulers[] = {
    {"rr", "the next ready warp after the last one issued", {}, &make<RoundRobin>},
    {"lrr", "loose round robin: the same rule", {}, &make<RoundRobin>},
    {"gto", "the last warp as long as it is ready, then the oldest", {}, &make<GreedyThenOldest>},
    {"gty", "the last warp as long as it is ready, then the youngest", {}, &make<GreedyThenYoungest>},
    {"gtr", "the last warp as long as it is ready, then the next after it", {}, &make<GreedyThenNext>},
    {"two-level", "round robin in a group of warps as long as one is ready, then the next group", TwoLevel::kKeys,
     &make_configured<TwoLevel>},
    {"age", "the oldest block first; inside a block round robin", {}, &make<OldestBlock>},
    {"rrb", "blocks have priority in turn, a cycle each; inside a block round robin", {}, &make<RotatingBlock>},
    {"srr", "the last block as long as it has a ready warp, then the next; inside round robin", {}, &make<StickyBlock>},
    {"random", "any ready warp, by a sequence that schedule_seed begins", RandomOrder::kKeys,
     &make_configured<RandomOrder>},
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

std::unique_ptr<Scheduler> make_scheduler(const SchedulerRow& row, const Host& host, const Config& config) {
  return row.make(host, config.only(row.keys));
}

}  // namespace heddle
