#include "report/comparison.h"

#include <fmt/format.h>

#include "report/run_json.h"
#include "report/table.h"

namespace heddle {
namespace {

bool finished(const RunResult& run) { return !run.failure && run.total.stats.issue_slots > 0; }

std::string outcome_of(const RunResult& run) {
  if (!run.failure) return run.passed() ? "passed" : "FAILED";
  switch (run.failure->code) {
    case ExitCode::Refused: return "refused";
    case ExitCode::Deadlock: return "deadlock";
    case ExitCode::Interrupted: return "interrupted";
    case ExitCode::Fault: return "fault";
    case ExitCode::BadLaunch: return "does not fit";
    case ExitCode::Ok:
    case ExitCode::CheckFailed:
    case ExitCode::Usage:
    case ExitCode::BadProgram:
    case ExitCode::Internal: break;
  }
  return "error";
}

double ratio(const RunResult& run, const RunResult& first) { return run.active_per_slot() / first.active_per_slot(); }

std::vector<std::string> cells_of(const Comparison& comparison, size_t w, size_t m) {
  const RunResult& run = comparison.at(w, m);
  const RunResult& first = comparison.at(w, 0);
  std::vector<std::string> cells{m == 0 ? comparison.workloads[w] : "", comparison.mechanisms[m]};
  if (finished(run)) {
    const KernelStats& stats = run.total.stats;
    cells.push_back(grouped(stats.issue_slots));
    cells.push_back(percent(stats.simd_efficiency(run.warp_size())));
    cells.push_back(fmt::format("{:.2f}", run.active_per_slot()));
    cells.push_back(finished(first) ? fmt::format("{:.3f}", ratio(run, first)) : "-");
  } else {
    cells.insert(cells.end(), 4, "-");
  }
  cells.push_back(outcome_of(run));
  return cells;
}

}  // namespace

ComparisonMean mean_of(const Comparison& comparison, size_t mechanism) {
  ComparisonMean mean;
  for (size_t w = 0; w < comparison.workloads.size(); ++w) {
    const RunResult& run = comparison.at(w, mechanism);
    const RunResult& first = comparison.at(w, 0);
    if (!run.passed() || !first.passed()) continue;
    ++mean.workloads;
    mean.simd_efficiency += run.total.stats.simd_efficiency(run.warp_size());
    mean.against_first += ratio(run, first);
  }
  if (mean.workloads == 0) return mean;
  mean.simd_efficiency /= mean.workloads;
  mean.against_first /= mean.workloads;
  return mean;
}

std::string comparison_table(const Comparison& comparison) {
  Table table({{"workload", false},
               {"mechanism", false},
               {"issue slots"},
               {"SIMD eff."},
               {"active/slot"},
               {fmt::format("vs {}", comparison.mechanisms[0])},
               {"check", false}});
  for (size_t w = 0; w < comparison.workloads.size(); ++w)
    for (size_t m = 0; m < comparison.mechanisms.size(); ++m) table.add(cells_of(comparison, w, m));
  table.rule();
  for (size_t m = 0; m < comparison.mechanisms.size(); ++m) {
    const ComparisonMean mean = mean_of(comparison, m);
    if (mean.workloads == 0) {
      table.add({m == 0 ? "mean" : "", comparison.mechanisms[m], "", "-", "", "-"});
      continue;
    }
    table.add({m == 0 ? "mean" : "", comparison.mechanisms[m], "", percent(mean.simd_efficiency), "",
               fmt::format("{:.3f}", mean.against_first), fmt::format("of {}", mean.workloads)});
  }
  std::string text = table.text();
  for (const RunResult& run : comparison.runs)
    if (run.failure) text += fmt::format("\n{} under {}: {}\n", run.program, run.mechanism, run.failure->message);
  return text;
}

nlohmann::ordered_json comparison_json(const Comparison& comparison) {
  nlohmann::ordered_json json;
  json["schema"] = "heddle-compare-1";
  json["workloads"] = comparison.workloads;
  json["mechanisms"] = comparison.mechanisms;
  json["mean"] = nlohmann::ordered_json::array();
  for (size_t m = 0; m < comparison.mechanisms.size(); ++m) {
    const ComparisonMean mean = mean_of(comparison, m);
    json["mean"].push_back({{"mechanism", comparison.mechanisms[m]},
                            {"workloads", mean.workloads},
                            {"simd_efficiency", mean.simd_efficiency},
                            {"active_threads_against_first", mean.against_first}});
  }
  json["runs"] = nlohmann::ordered_json::array();
  for (const RunResult& run : comparison.runs) json["runs"].push_back(run_json(run));
  return json;
}

}  // namespace heddle
