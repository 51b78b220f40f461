#include "experiment/head_to_head.h"

#include <algorithm>

#include "experiment/verdict.h"
#include "report/workload_list.h"

namespace heddle {
namespace {

const Statistic kIpc{{"ipc"}, {}, {}}, kActive{{"thread_instructions"}, {"issue_slots"}, {}},
    kIdle{{"idle_cycles"}, {"breakdown"}, {}}, kEfficiency{{"simd_efficiency"}, {}, {}},
    kStalls{{"memory_stall_cycles"}, {}, {}}, kState{{"state_bits_per_warp"}, {}, {}};

double value_or_zero(const Record& record, const Statistic& statistic) {
  return statistic_of(record, statistic).value_or(0);
}

bool in_group(const Contest& contest, size_t group) {
  return group == static_cast<size_t>(ContestGroup::All) ||
         (group == static_cast<size_t>(ContestGroup::Divergent)) == contest.divergent;
}

bool is_bound(const HeadToHead& table, const std::string& run) {
  return std::find(table.bounds.begin(), table.bounds.end(), run) != table.bounds.end();
}

Contest contest_of(const HeadToHead& table, const Records& records, const std::string& workload) {
  Contest result;
  result.workload = workload;
  const Statistic& speed = table.timed ? kIpc : kActive;
  const Record* first = records(table.runs.front(), workload);
  const double base = first && first->passed() ? value_or_zero(*first, speed) : 0;
  result.divergent = first && value_or_zero(*first, kEfficiency) < kDivergentBelow;
  result.common = base > 0;
  double best = 0;
  std::vector<bool> may_win;
  for (size_t i = 0; i < table.runs.size(); ++i) {
    const Record* record = records(table.runs[i], workload);
    const bool right = record && record->passed() && base > 0;
    result.ratios.push_back(right ? std::optional(value_or_zero(*record, speed) / base) : std::nullopt);
    result.missing.push_back(right ? "" : !record ? "not measured" : outcome_of(*record));
    result.common = result.common && right;
    const bool bound = is_bound(table, table.runs[i]);
    if (right && !bound) best = std::max(best, *result.ratios.back());
    may_win.push_back(right && !bound);
  }
  for (size_t i = 0; i < table.runs.size(); ++i) {
    if (!may_win[i] || *result.ratios[i] < best * (1 - kResolution)) continue;
    if (result.winner)
      result.tied.push_back(i);
    else
      result.winner = i;
  }
  return result;
}

void add_outcomes(Contender& contender, const HeadToHead& table, const Records& records) {
  for (const std::string& workload : table.workloads) {
    const Record* record = records(contender.run, workload);
    if (!record) continue;
    const bool refused = record->exit_code == static_cast<int>(ExitCode::Refused);
    contender.refused += refused;
    contender.failed += !refused && !record->passed();
    if (record->passed()) contender.state_bits = std::max(contender.state_bits, value_or_zero(*record, kState));
  }
}

void add_means(Contender& contender, size_t at, const HeadToHead& table, const Records& records,
               const HeadToHeadResult& result) {
  std::vector<double> ratios[kGroups];
  double stalls = 0, stalls_of_first = 0;
  for (const Contest& contest : result.contests) {
    for (size_t group = 0; group < kGroups; ++group) {
      if (!in_group(contest, group)) continue;
      contender.wins[group] += contest.winner == at;
      if (contest.common) ratios[group].push_back(*contest.ratios[at]);
    }
    if (!contest.common) continue;
    const Record& record = *records(contender.run, contest.workload);
    contender.simd_efficiency += value_or_zero(record, kEfficiency);
    contender.idle += value_or_zero(record, kIdle);
    stalls += value_or_zero(record, kStalls);
    stalls_of_first += value_or_zero(*records(table.runs.front(), contest.workload), kStalls);
  }
  const size_t all = ratios[static_cast<size_t>(ContestGroup::All)].size();
  if (all > 0) {
    contender.simd_efficiency /= static_cast<double>(all);
    contender.idle /= static_cast<double>(all);
  }
  if (stalls_of_first > 0) contender.memory_stalls = stalls / stalls_of_first;
  for (size_t group = 0; group < kGroups; ++group)
    contender.speedup[group] = folded(Fold::Harmonic, ratios[group], nullptr);
}

}  // namespace

HeadToHeadResult head_to_head(const HeadToHead& table, const Records& records) {
  HeadToHeadResult result;
  result.what = table.what;
  result.timed = table.timed;
  for (const std::string& workload : table.workloads) result.contests.push_back(contest_of(table, records, workload));
  for (const Contest& contest : result.contests)
    for (size_t group = 0; group < kGroups; ++group) result.common[group] += contest.common && in_group(contest, group);
  for (size_t i = 0; i < table.runs.size(); ++i) {
    Contender contender;
    contender.run = table.runs[i];
    contender.bound = is_bound(table, contender.run);
    add_outcomes(contender, table, records);
    add_means(contender, i, table, records, result);
    result.contenders.push_back(std::move(contender));
  }
  return result;
}

}  // namespace heddle
