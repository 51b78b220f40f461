// What branches do: how well they compact, and whether warps were right to wait at them.
#include <fmt/format.h>

#include "report/page/charts.h"

namespace heddle {
namespace {

using Json = ReportData::Json;

struct DecisionOutcome {
  const char *field, *name, *colour;
};
constexpr DecisionOutcome kOutcomes[] = {{"stall_stall", "waited, rightly", "right1"},
                                         {"bypass_bypass", "passed on, rightly", "right2"},
                                         {"stall_bypass", "waited in vain", "wrong1"},
                                         {"bypass_stall", "passed on, should have waited", "wrong2"}};

// The mechanism whose rates are shown: all that have a stack per block see the same paths.
std::optional<size_t> with_rates(const RunGroup& group) {
  for (size_t m = 0; m < group.mechanisms.size(); ++m)
    for (size_t w = 0; w < group.workloads.size(); ++w)
      if (const Json* run = group.with(w, m, "compaction"); run && (*run)["total"]["compaction"].contains("P"))
        return m;
  return std::nullopt;
}

}  // namespace

Chart compaction_chart(const RunGroup& group) {
  Chart chart;
  chart.id = "compaction";
  chart.unit = Chart::Unit::Share;
  const std::optional<size_t> mechanism = with_rates(group);
  if (!mechanism) return chart;
  chart.title = "How well divergent branches compact, by lane map";
  chart.caption =
      "The share of the paths of divergent branches that need fewer warps than static warps do, under "
      "each lane map, where the branch depends on thread numbers and parameters (P) and where it depends on data (D). "
      "ideal: threads may change lanes. Arithmetic mean of the workloads that have divergent branches of that kind.";
  chart.values = "paths that compact, %";
  chart.groups = "lane map";
  chart.series = {{"P-branches", "m2"}, {"D-branches", "m3"}};
  chart.command = group.command("--taint");
  std::vector<std::string> maps;
  std::vector<std::vector<double>> rates[2];
  for (size_t w = 0; w < group.workloads.size(); ++w) {
    const Json* run = group.with(w, *mechanism, "compaction");
    if (!run) continue;
    for (size_t kind = 0; kind < 2; ++kind) {
      const Json& of_kind = (*run)["total"]["compaction"].value(kind == 0 ? "P" : "D", Json::object());
      if (!of_kind.contains("rates") || !of_kind["rates"].is_object() || of_kind.value("paths", 0.0) == 0) continue;
      size_t map = 0;
      for (const auto& [name, rate] : of_kind["rates"].items()) {
        if (map == maps.size()) maps.push_back(name);
        if (map >= rates[kind].size()) rates[kind].resize(map + 1);
        rates[kind][map++].push_back(rate.get<double>());
      }
    }
  }
  for (size_t map = 0; map < maps.size(); ++map)
    for (size_t kind = 0; kind < 2; ++kind)
      if (map < rates[kind].size())
        chart.data.push_back(
            {maps[map], "", kind, 0, mean(rates[kind][map]), fmt::format("{} workloads", rates[kind][map].size())});
  return chart;
}

Chart decision_chart(const RunGroup& group) {
  Chart chart;
  chart.id = "decisions";
  chart.kind = Chart::Kind::Stack;
  chart.unit = Chart::Unit::Share;
  if (!group.has("decisions")) return chart;
  chart.title = "Were warps right to wait at branches?";
  chart.caption =
      "What warps did at branches, and what would have been best with hindsight: waiting for the others of their block "
      "pays where together they need fewer warps.";
  chart.values = "decisions, %";
  chart.groups = "workload";
  chart.command = group.command("--scores");
  for (const DecisionOutcome& outcome : kOutcomes) chart.series.push_back({outcome.name, outcome.colour});
  for (size_t w = 0; w < group.workloads.size(); ++w)
    for (size_t m = 0; m < group.mechanisms.size(); ++m) {
      const Json* run = group.with(w, m, "decisions");
      if (!run) continue;
      const Json& decisions = (*run)["total"]["decisions"];
      double all = 0;
      for (const DecisionOutcome& outcome : kOutcomes) all += decisions.value(outcome.field, 0.0);
      for (size_t i = 0; i < 4 && all > 0; ++i) {
        const double number = decisions.value(kOutcomes[i].field, 0.0);
        chart.data.push_back({group.workloads[w], group.mechanisms[m], i, 0, number / all,
                              fmt::format("{:.0f} of {:.0f}", number, all)});
      }
    }
  return chart;
}

}  // namespace heddle
