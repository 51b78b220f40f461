#include "report/comparison.h"

#include <nlohmann/json.hpp>

#include "report/breakdown.h"
#include "report/run_json.h"
#include "run/command.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json mean_json(const Comparison& comparison, size_t mechanism) {
  const ComparisonMean mean = mean_of(comparison, mechanism);
  Json json{{"mechanism", comparison.mechanisms[mechanism]},
            {"workloads", mean.workloads},
            {"simd_efficiency", mean.simd_efficiency}};
  if (comparison.timed()) {
    json["idle"] = mean.idle;
    json["harmonic_mean"] = mean.against_first;
  } else {
    json["active_threads_against_first"] = mean.against_first;
  }
  if (has_rates(comparison)) json["compaction"] = mean_rates_json(comparison, mechanism);
  return json;
}

}  // namespace

bool finished(const RunResult& run) { return !run.failure && run.total.stats.issue_slots > 0; }

std::string outcome_of(const RunResult& run) {
  if (!run.failure) return run.passed() ? "passed" : "FAILED";
  return outcome_of(run.failure->code);
}

std::string outcome_of(ExitCode code) {
  switch (code) {
    case ExitCode::Ok: return "passed";
    case ExitCode::CheckFailed: return "FAILED";
    case ExitCode::Refused: return "refused";
    case ExitCode::Deadlock: return "deadlock";
    case ExitCode::Interrupted: return "interrupted";
    case ExitCode::Fault: return "fault";
    case ExitCode::BadLaunch: return "does not fit";
    case ExitCode::Found: return "checks found something";
    case ExitCode::Usage:
    case ExitCode::BadProgram:
    case ExitCode::Internal: break;
    case ExitCode::Host: return "not on this machine";
  }
  return "error";
}

double idle_share(const RunResult& run) {
  const CoreStats cores = run.timing().all_cores();
  return share(cores.idle(), cores.cycles());
}

std::optional<double> against_first(const Comparison& comparison, size_t workload, size_t mechanism) {
  const RunResult& run = comparison.at(workload, mechanism);
  const RunResult& first = comparison.at(workload, 0);
  if (!finished(run) || !finished(first)) return std::nullopt;
  if (comparison.timed()) return run.total.stats.ipc() / first.total.stats.ipc();
  return run.active_per_slot() / first.active_per_slot();
}

ComparisonMean mean_of(const Comparison& comparison, size_t mechanism) {
  ComparisonMean mean;
  for (size_t w = 0; w < comparison.workloads.size(); ++w) {
    const RunResult& run = comparison.at(w, mechanism);
    const std::optional<double> ratio = against_first(comparison, w, mechanism);
    if (!run.passed() || !comparison.at(w, 0).passed() || !ratio) continue;
    ++mean.workloads;
    mean.simd_efficiency += run.total.stats.simd_efficiency(run.warp_size());
    if (comparison.timed()) mean.idle += idle_share(run);
    mean.against_first += comparison.timed() ? 1 / *ratio : *ratio;
  }
  if (mean.workloads == 0) return mean;
  mean.simd_efficiency /= mean.workloads;
  mean.idle /= mean.workloads;
  mean.against_first /= mean.workloads;
  if (comparison.timed()) mean.against_first = 1 / mean.against_first;
  return mean;
}

Json comparison_json(const Comparison& comparison) {
  Json json;
  json["schema"] = "heddle-compare-1";
  if (!comparison.runs.empty())
    json["command"] = command_of(comparison.runs[0].spec, comparison.workloads, comparison.mechanisms);
  json["fidelity"] = comparison.timed() ? "cycle" : "emulation";
  json["workloads"] = comparison.workloads;
  json["mechanisms"] = comparison.mechanisms;
  json["mean"] = Json::array();
  for (size_t m = 0; m < comparison.mechanisms.size(); ++m) json["mean"].push_back(mean_json(comparison, m));
  json["runs"] = Json::array();
  for (size_t w = 0; w < comparison.workloads.size(); ++w)
    for (size_t m = 0; m < comparison.mechanisms.size(); ++m) {
      Json run = run_json(comparison.at(w, m));
      const std::optional<double> ratio = against_first(comparison, w, m);
      if (comparison.timed()) run["ipc_against_first"] = ratio ? Json(*ratio) : Json();
      json["runs"].push_back(std::move(run));
    }
  return json;
}

}  // namespace heddle
