#include "report/decision_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/breakdown.h"
#include "report/comparison.h"
#include "report/table.h"

namespace heddle {

std::vector<std::string> decision_cells(const DecisionStats& decisions) {
  const uint64_t all = decisions.all();
  return {percent(share(decisions.stall_stall, all)), percent(share(decisions.stall_bypass, all)),
          percent(share(decisions.bypass_stall, all)), percent(share(decisions.bypass_bypass, all)),
          percent(decisions.accuracy())};
}

std::string decisions_text(const DecisionStats& decisions) {
  const std::vector<std::string> cells = decision_cells(decisions);
  std::string text = fmt::format(
      "decisions at branches (done/best)  stall/stall {}  stall/bypass {}  bypass/stall {}  bypass/bypass {}  "
      "right {} of {}",
      cells[0], cells[1], cells[2], cells[3], cells[4], grouped(decisions.all()));
  if (decisions.open > 0) text += fmt::format("; {} of them not proven", grouped(decisions.open));
  return text + "\n";
}

nlohmann::ordered_json decisions_json(const DecisionStats& decisions) {
  return {{"stall_stall", decisions.stall_stall},
          {"stall_bypass", decisions.stall_bypass},
          {"bypass_stall", decisions.bypass_stall},
          {"bypass_bypass", decisions.bypass_bypass},
          {"unproven", decisions.open},
          {"accuracy", decisions.accuracy()},
          {"where_parted", decisions.where_parted},
          {"accuracy_where_parted", decisions.accuracy_where_parted()}};
}

bool has_decisions(const Comparison& comparison) {
  return std::any_of(comparison.runs.begin(), comparison.runs.end(),
                     [](const RunResult& run) { return run.total.stats.decisions.has_value(); });
}

std::string decisions_table(const Comparison& comparison) {
  Table table({{"workload", false},
               {"mechanism", false},
               {"decisions"},
               {"stall/stall"},
               {"stall/bypass"},
               {"bypass/stall"},
               {"bypass/bypass"},
               {"right"}});
  for (size_t w = 0; w < comparison.workloads.size(); ++w)
    for (size_t m = 0; m < comparison.mechanisms.size(); ++m) {
      const RunResult& run = comparison.at(w, m);
      if (!finished(run) || !run.total.stats.decisions) continue;
      const DecisionStats& decisions = *run.total.stats.decisions;
      std::vector<std::string> cells{comparison.workloads[w], comparison.mechanisms[m], grouped(decisions.all())};
      for (std::string& cell : decision_cells(decisions)) cells.push_back(std::move(cell));
      table.add(std::move(cells));
    }
  return "decisions of warps at branches: what they did / what would have been best\n" + table.text();
}

}  // namespace heddle
