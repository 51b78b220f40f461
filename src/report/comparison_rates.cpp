// Compaction rates of P- and D-branches over workloads, as in figure 11 of Rhu and Erez (ISCA 2013).
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/compaction_report.h"
#include "report/comparison.h"
#include "report/table.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

struct ShownKind {
  BranchKind kind;
  std::string name;
};
const ShownKind kShownKinds[] = {{BranchKind::Programmatic, "P"}, {BranchKind::Data, "D"}};

// The lane maps of the figure; the JSON has all.
constexpr std::string_view kShown[] = {"none", "odd_even", "rev_wid", "balanced", "ideal"};

PathCounts counts_of(const RunResult& run, BranchKind kind) {
  return finished(run) && run.total.stats.compaction ? run.total.stats.compaction->sum(kind) : PathCounts{};
}

struct MeanRates {
  unsigned workloads = 0;     // that have divergent branches of this kind
  std::vector<double> rates;  // arithmetic means
};

MeanRates mean_rates(const Comparison& comparison, size_t mechanism, BranchKind kind) {
  MeanRates mean{0, std::vector<double>(compaction_names().size())};
  for (size_t w = 0; w < comparison.workloads.size(); ++w) {
    const Rates rates = compaction_rates(counts_of(comparison.at(w, mechanism), kind));
    if (!rates) continue;
    ++mean.workloads;
    for (size_t i = 0; i < rates->size(); ++i) mean.rates[i] += (*rates)[i];
  }
  for (double& rate : mean.rates) rate /= std::max(1U, mean.workloads);
  return mean;
}

std::vector<std::string> rate_cells(const std::vector<double>& rates) {
  const std::vector<std::string_view> names = compaction_names();
  std::vector<std::string> cells;
  for (std::string_view shown : kShown)
    cells.push_back(percent(rates[static_cast<size_t>(std::find(names.begin(), names.end(), shown) - names.begin())]));
  return cells;
}

void add_row(Table& table, std::vector<std::string> cells, const std::vector<double>& rates) {
  for (std::string& cell : rate_cells(rates)) cells.push_back(std::move(cell));
  table.add(std::move(cells));
}

void add_means(Table& table, const Comparison& comparison) {
  table.rule();
  for (size_t m = 0; m < comparison.mechanisms.size(); ++m)
    for (const ShownKind& kind : kShownKinds)
      if (const MeanRates mean = mean_rates(comparison, m, kind.kind); mean.workloads > 0)
        add_row(table, {"mean", comparison.mechanisms[m], kind.name, fmt::format("of {}", mean.workloads)}, mean.rates);
}

}  // namespace

bool has_rates(const Comparison& comparison) {
  return std::any_of(comparison.runs.begin(), comparison.runs.end(),
                     [](const RunResult& run) { return run.total.stats.compaction.has_value(); });
}

std::string rates_table(const Comparison& comparison) {
  std::vector<Table::Column> columns{{"workload", false}, {"mechanism", false}, {"branches", false}, {"paths"}};
  for (std::string_view name : kShown) columns.push_back({std::string(name)});
  Table table(std::move(columns));
  for (size_t w = 0; w < comparison.workloads.size(); ++w)
    for (size_t m = 0; m < comparison.mechanisms.size(); ++m)
      for (const ShownKind& kind : kShownKinds) {
        const PathCounts counts = counts_of(comparison.at(w, m), kind.kind);
        if (const Rates rates = compaction_rates(counts))
          add_row(table, {comparison.workloads[w], comparison.mechanisms[m], kind.name, grouped(counts.paths)}, *rates);
      }
  add_means(table, comparison);
  return "compaction rate: divergent paths that need fewer warps, by lane map\n" + table.text();
}

Json mean_rates_json(const Comparison& comparison, size_t mechanism) {
  Json json;
  const std::vector<std::string_view> names = compaction_names();
  for (const ShownKind& kind : kShownKinds) {
    const MeanRates mean = mean_rates(comparison, mechanism, kind.kind);
    Json rates;
    for (size_t i = 0; i < names.size(); ++i) rates[std::string(names[i])] = mean.rates[i];
    json[kind.name] = {{"workloads", mean.workloads}, {"rates", mean.workloads > 0 ? rates : Json()}};
  }
  return json;
}

}  // namespace heddle
