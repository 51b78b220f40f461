#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "experiment/reproduction.h"
#include "experiment/sweep.h"
#include "report/table.h"

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

template <class F>
std::optional<size_t> best_in(const HeadToHeadResult& result, size_t group, F&& counts) {
  std::optional<size_t> best;
  for (size_t i = 0; i < result.contenders.size(); ++i) {
    const std::optional<double>& speed = result.contenders[i].speedup[group];
    if (speed && counts(i) && (!best || *speed > *result.contenders[*best].speedup[group])) best = i;
  }
  return best;
}

std::string speed_text(const HeadToHeadResult& result, size_t contender, size_t group) {
  return figure_text(FigureUnit::Change, *result.contenders[contender].speedup[group]);
}

// "best where programs diverge: tbc, warp_size=16 (+21.0 %)"
std::string best_line(const HeadToHeadResult& result, size_t group, const char* where) {
  const std::optional<size_t> best = best_in(result, group, [](size_t) { return true; });
  if (!best) return "";
  return fmt::format("best {}: {} ({})\n", where, result.contenders[*best].run, speed_text(result, *best, group));
}

// Of each value of the first axis that varies the best point of each group, by the values of the others: what a search
// is for. Nothing where only one axis varies.
std::string best_of_each(const Sweep& sweep, const HeadToHeadResult& result) {
  std::vector<size_t> varying;
  for (size_t i = 0; i < sweep.axes().size(); ++i)
    if (sweep.axes()[i].values.size() > 1) varying.push_back(i);
  if (varying.size() < 2) return "";
  const Axis& axis = sweep.axes()[varying[0]];
  std::vector<size_t> points;  // by contender
  for (size_t point = 0; point < sweep.points(); ++point)
    if (sweep.contradiction(point).empty()) points.push_back(point);
  const auto others = [&](size_t contender) {
    std::string text;
    for (size_t i = 1; i < varying.size(); ++i)
      text += (i == 1 ? "" : ", ") + sweep.values(points[contender])[varying[i]];
    return text;
  };
  std::string heading = "best of each " + axis.name + ", by";
  for (size_t i = 1; i < varying.size(); ++i) heading += (i == 1 ? " " : ", ") + sweep.axes()[varying[i]].name;
  Table table({{axis.name, false}, {"divergent"}, {"", false}, {"coherent"}, {"", false}, {"all"}, {"", false}});
  for (const std::string& value : axis.values) {
    std::vector<std::string> cells{value};
    for (size_t group = 0; group < kGroups; ++group) {
      const auto best = best_in(result, group, [&](size_t i) { return sweep.values(points[i])[varying[0]] == value; });
      cells.push_back(best ? speed_text(result, *best, group) : "");
      cells.push_back(best ? others(*best) : "");
    }
    table.add(std::move(cells));
  }
  return "\n" + heading + "\n" + table.text();
}

std::string contradictions(const Sweep& sweep) {
  std::string text;
  for (size_t point = 0; point < sweep.points(); ++point)
    if (const std::string& why = sweep.contradiction(point); !why.empty())
      text += fmt::format("cannot be: {}: {}\n", sweep.name(point), why);
  return text;
}

std::optional<uint64_t> launches_of(const Sweep& sweep, const Batch& batch, size_t point) {
  const Batch::Run* const run = sweep.run(batch, point, 0);
  if (!run || !run->record || !run->record->passed()) return std::nullopt;
  return run->record->total.value("launches", uint64_t{0});
}

// A program may do something else where a machine refuses a launch, and end well all the same.
std::string other_work(const Sweep& sweep, const Batch& batch) {
  std::string text;
  if (sweep.base().kind != RunSpec::Kind::CudaProgram) return text;
  const std::optional<uint64_t> first = launches_of(sweep, batch, 0);
  for (size_t point = 1; first && point < sweep.points(); ++point)
    if (const auto own = launches_of(sweep, batch, point); own && *own != *first)
      text += fmt::format("other work: {}: {} launches instead of {}\n", sweep.name(point), *own, *first);
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
  return text + best_of_each(sweep, result) + contradictions(sweep) + other_work(sweep, batch);
}

}  // namespace heddle
