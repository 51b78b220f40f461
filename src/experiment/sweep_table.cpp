#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "experiment/reproduction.h"
#include "experiment/sweep.h"

namespace heddle {
namespace {

constexpr size_t kMostRows = 40;

// Those with the highest means, in the order of the sweep; the first stays.
std::vector<size_t> best_of(const HeadToHeadResult& result, size_t most) {
  const auto mean = [&](size_t i) { return result.contenders[i].speedup[kGroups - 1].value_or(0); };
  std::vector<size_t> order;
  for (size_t i = 1; i < result.contenders.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return mean(a) > mean(b); });
  order.resize(std::min(order.size(), most - 1));
  order.push_back(0);
  std::sort(order.begin(), order.end());
  return order;
}

HeadToHeadResult only(const HeadToHeadResult& result, const std::vector<size_t>& points) {
  HeadToHeadResult fewer = result;
  fewer.contenders.clear();
  for (Contest& contest : fewer.contests) {
    contest.ratios.clear();
    contest.missing.clear();
    contest.winner.reset();
  }
  for (size_t at : points) {
    for (size_t i = 0; i < result.contests.size(); ++i) {
      if (result.contests[i].winner == at) fewer.contests[i].winner = fewer.contenders.size();
      fewer.contests[i].ratios.push_back(result.contests[i].ratios[at]);
      fewer.contests[i].missing.push_back(result.contests[i].missing[at]);
    }
    fewer.contenders.push_back(result.contenders[at]);
  }
  return fewer;
}

// "best where programs diverge: tbc, warp_size=16 (+21.0 %)"
std::string best_line(const HeadToHeadResult& result, size_t group, const char* where) {
  const Contender* best = nullptr;
  for (const Contender& each : result.contenders)
    if (each.speedup[group] && (!best || *each.speedup[group] > *best->speedup[group])) best = &each;
  if (!best) return "";
  return fmt::format("best {}: {} ({})\n", where, best->run, figure_text(Unit::Change, *best->speedup[group]));
}

std::string contradictions(const Sweep& sweep) {
  std::string text;
  for (size_t point = 0; point < sweep.points(); ++point)
    if (const std::string& why = sweep.contradiction(point); !why.empty())
      text += fmt::format("cannot be: {}: {}\n", sweep.name(point), why);
  return text;
}

}  // namespace

HeadToHeadResult ranked(const Sweep& sweep, const Batch& batch) {
  std::map<std::string, size_t> places, columns;
  HeadToHead table;
  table.what = "point";
  table.timed = sweep.base().timed;
  for (size_t point = 0; point < sweep.points(); ++point) {
    if (!sweep.contradiction(point).empty()) continue;
    places[sweep.name(point)] = point;
    table.runs.push_back(sweep.name(point));
  }
  for (size_t i = 0; i < sweep.workloads().size(); ++i) {
    columns[sweep.workloads()[i]] = i;
    table.workloads.push_back(sweep.workloads()[i]);
  }
  return head_to_head(table, [&](const std::string& point, const std::string& workload) -> const Record* {
    const Batch::Run* run = sweep.run(batch, places.at(point), columns.at(workload));
    return run && run->record ? &*run->record : nullptr;
  });
}

std::string sweep_table(const Sweep& sweep, const Batch& batch, bool details) {
  const HeadToHeadResult result = ranked(sweep, batch);
  const bool many = result.contenders.size() > kMostRows;
  std::string text = head_to_head_table(many ? only(result, best_of(result, kMostRows)) : result, details);
  if (many)
    text += fmt::format("\n{} of {} points are shown, the first and the best; all are in --csv and --json\n", kMostRows,
                        result.contenders.size());
  text += "\n" + best_line(result, 0, "where programs diverge") + best_line(result, 1, "where they do not") +
          best_line(result, 2, "over all");
  return text + contradictions(sweep);
}

}  // namespace heddle
