// A head-to-head as a table for the terminal.
#include <fmt/format.h>

#include "experiment/head_to_head.h"
#include "experiment/reproduction.h"
#include "report/table.h"

namespace heddle {
namespace {

std::string contests_table(const HeadToHeadResult& result) {
  std::vector<Table::Column> columns{{result.timed ? "IPC over the first" : "active/slot over the first", false}};
  for (const Contender& each : result.contenders) columns.push_back({each.run});
  Table table(std::move(columns));
  for (const Contest& contest : result.contests) {
    std::vector<std::string> cells{contest.workload};
    for (size_t i = 0; i < contest.ratios.size(); ++i)
      cells.push_back(contest.ratios[i] ? fmt::format("{}{:.2f}", contest.winner == i ? "*" : "", *contest.ratios[i])
                                        : contest.missing[i]);
    table.add(std::move(cells));
  }
  return table.text();
}

std::string winners_text(const HeadToHeadResult& result) {
  std::string text;
  for (size_t i = 0; i < result.contenders.size(); ++i) {
    std::string names;
    for (const Contest& contest : result.contests)
      if (contest.winner == i)
        names += fmt::format("{}{} {:.2f}", names.empty() ? "" : ", ", contest.workload, *contest.ratios[i]);
    if (!names.empty()) text += fmt::format("{} wins {}\n", result.contenders[i].run, names);
  }
  return text;
}

}  // namespace

std::string head_to_head_table(const HeadToHeadResult& result, bool details) {
  const char* const speed = result.timed ? "IPC" : "active/slot";
  Table table({{result.what, false},
               {fmt::format("{}: divergent", speed)},
               {"coherent"},
               {"all"},
               {"SIMD eff."},
               {"idle"},
               {"mem. stall"},
               {"bits/warp"},
               {"wins"},
               {"refused"},
               {"wrong"}});
  for (const Contender& each : result.contenders)
    table.add({each.run, figure_or_dash(FigureUnit::Change, each.speedup[0]),
               figure_or_dash(FigureUnit::Change, each.speedup[1]), figure_or_dash(FigureUnit::Change, each.speedup[2]),
               percent(each.simd_efficiency), result.timed ? percent(each.idle) : "-",
               figure_or_dash(FigureUnit::Times, each.memory_stalls), fmt::format("{:.0f}", each.state_bits),
               fmt::format("{}+{}", each.wins[0], each.wins[1]), fmt::format("{}", each.refused),
               fmt::format("{}", each.failed)});
  std::string text = fmt::format(
      "{0}harmonic means of the {1} over that of {2}, over the {3} divergent and {4} coherent workloads that all of "
      "them "
      "ran right;\nwins: workloads with the highest {1}, divergent + coherent\n\n{5}",
      table.text(), speed, result.contenders.front().run, result.common[0], result.common[1], winners_text(result));
  return details ? text + "\n" + contests_table(result) : text;
}

}  // namespace heddle
