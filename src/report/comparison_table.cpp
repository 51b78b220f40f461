#include <fmt/format.h>

#include "report/breakdown.h"
#include "report/comparison.h"
#include "report/filling.h"
#include "report/table.h"

namespace heddle {
namespace {

using Cells = std::vector<std::string>;

std::string ratio_text(const std::optional<double>& ratio) { return ratio ? fmt::format("{:.3f}", *ratio) : "-"; }

// What stands between the names and the outcome.
struct Layout {
  std::vector<Table::Column> columns;
  Cells (*of_run)(const Comparison& comparison, size_t workload, size_t mechanism);
  Cells (*of_mean)(const ComparisonMean& mean);
};

Cells emulation_cells(const Comparison& comparison, size_t workload, size_t mechanism) {
  const RunResult& run = comparison.at(workload, mechanism);
  const KernelStats& stats = run.total.stats;
  return {grouped(stats.issue_slots), percent(stats.simd_efficiency(run.warp_size())),
          fmt::format("{:.2f}", run.active_per_slot()), ratio_text(against_first(comparison, workload, mechanism))};
}
Cells emulation_mean(const ComparisonMean& mean) {
  return {"", percent(mean.simd_efficiency), "", fmt::format("{:.3f}", mean.against_first)};
}

// Memory stalls against those of the first mechanism.
std::string stall_text(const RunResult& run, const RunResult& first) {
  const uint64_t before = finished(first) ? first.timing().all_cores().memory_stall_cycles() : 0;
  if (before == 0) return "-";
  return fmt::format("{:.3f}", share(run.timing().all_cores().memory_stall_cycles(), before));
}

Cells timed_cells(const Comparison& comparison, size_t workload, size_t mechanism) {
  const RunResult& run = comparison.at(workload, mechanism);
  const KernelStats& stats = run.total.stats;
  return {grouped(run.timing().cycles),
          fmt::format("{:.2f}", stats.ipc()),
          ratio_text(against_first(comparison, workload, mechanism)),
          percent(stats.simd_efficiency(run.warp_size())),
          percent(idle_share(run)),
          stall_text(run, comparison.at(workload, 0))};
}
Cells timed_mean(const ComparisonMean& mean) {
  return {"", "", fmt::format("{:.3f}", mean.against_first), percent(mean.simd_efficiency), percent(mean.idle), ""};
}

Layout layout_of(const Comparison& comparison) {
  const std::string versus = fmt::format("vs {}", comparison.mechanisms[0]);
  if (!comparison.timed())
    return {{{"issue slots"}, {"SIMD eff."}, {"active/slot"}, {versus}}, &emulation_cells, &emulation_mean};
  return {{{"cycles"}, {"IPC"}, {versus}, {"SIMD eff."}, {"idle"}, {"mem. stalls"}}, &timed_cells, &timed_mean};
}

std::string footnote(const Comparison& comparison) {
  if (!comparison.timed()) return "";
  const std::string& first = comparison.mechanisms[0];
  return fmt::format(
      "vs {0}: IPC over that of {0}; its mean is the harmonic mean. idle: W0_Mem + W0_Idle, of the cycles of all "
      "cores.\nmem. stalls: cycles in which the memory stage holds an instruction for too long, over those of {0}.\n",
      first);
}

}  // namespace

std::string comparison_table(const Comparison& comparison) {
  const Layout layout = layout_of(comparison);
  std::vector<Table::Column> columns{{"workload", false}, {"mechanism", false}};
  columns.insert(columns.end(), layout.columns.begin(), layout.columns.end());
  columns.push_back({"check", false});
  Table table(std::move(columns));
  const auto add = [&](const std::string& row, const std::string& mechanism, const Cells& middle, std::string last) {
    Cells cells{row, mechanism};
    cells.insert(cells.end(), middle.begin(), middle.end());
    cells.push_back(std::move(last));
    table.add(std::move(cells));
  };
  const Cells nothing(layout.columns.size(), "-");
  for (size_t w = 0; w < comparison.workloads.size(); ++w)
    for (size_t m = 0; m < comparison.mechanisms.size(); ++m)
      add(m == 0 ? comparison.workloads[w] : "", comparison.mechanisms[m],
          finished(comparison.at(w, m)) ? layout.of_run(comparison, w, m) : nothing, outcome_of(comparison.at(w, m)));
  table.rule();
  for (size_t m = 0; m < comparison.mechanisms.size(); ++m) {
    const ComparisonMean mean = mean_of(comparison, m);
    add(m == 0 ? "mean" : "", comparison.mechanisms[m], mean.workloads > 0 ? layout.of_mean(mean) : nothing,
        mean.workloads > 0 ? fmt::format("of {}", mean.workloads) : "");
  }
  std::string text = table.text() + footnote(comparison) + filling_line(comparison);
  if (has_rates(comparison)) text += '\n' + rates_table(comparison);
  if (has_decisions(comparison)) text += '\n' + decisions_table(comparison);
  for (const RunResult& run : comparison.runs)
    if (run.failure && run.failure->code != ExitCode::Interrupted)
      text += fmt::format("\n{} under {}: {}\n", run.spec.program, run.spec.mechanism, run.failure->message);
  return text;
}

}  // namespace heddle
