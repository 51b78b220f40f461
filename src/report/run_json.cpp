#include "report/run_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/kernel_name.h"
#include "report/check_report.h"
#include "report/compaction_report.h"
#include "report/decision_report.h"
#include "report/timing_json.h"
#include "run/command.h"
#include "run/spec_json.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json dimensions(const Dim3& size) { return {size.x, size.y, size.z}; }

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json kind_json(BranchKind kind) {
  if (kind == BranchKind::Unknown) return {};
  return kind == BranchKind::Data ? "D" : "P";
}

Json block_wide_json(const BlockWideCounts& counts) {
  return {{"executed", counts.executed},
          {"diverged", counts.diverged},
          {"compactable", counts.compactable},
          {"compacted", counts.compacted},
          {"paths", counts.paths},
          {"compactable_paths", counts.compactable_paths},
          {"compacted_paths", counts.compacted_paths}};
}

Json branches_json(const LaunchResult& launch, const RunResult& result, bool of_total) {
  Json json = Json::array();
  for (const BranchPlace& branch : launch.branches) {
    Json entry;
    if (of_total) entry["kernel"] = branch.kernel;
    entry["pc"] = branch.record.pc;
    entry["place"] = branch.place;
    entry["source"] = or_null(branch.source);
    entry["instruction"] = branch.text;
    entry["executed"] = branch.record.executed;
    entry["diverged"] = branch.record.diverged;
    if (result.spec.instruments.has("taint")) {
      entry["kind"] = kind_json(branch.record.kind);
      entry["threads"] = branch.record.threads;
      entry["data_threads"] = branch.record.data_threads;
    }
    if (launch.stats.compaction) entry["block_wide"] = block_wide_json(branch.record.block_wide);
    json.push_back(std::move(entry));
  }
  return json;
}

void add_counters(Json& json, const KernelStats& stats, unsigned warp_size) {
  json["blocks"] = stats.blocks;
  json["threads"] = stats.threads;
  json["thread_instructions"] = stats.thread_instructions;
  json["issue_slots"] = stats.issue_slots;
  json["phantom_slots"] = stats.phantom_slots;
  json["phantom_threads"] = stats.phantom_threads;
  json["predicated_off"] = stats.predicated_off;
  json["simd_efficiency"] = stats.simd_efficiency(warp_size);
  json["branches"] = stats.branches;
  json["divergent_branches"] = stats.divergent_branches;
  json["branch_efficiency"] = stats.branch_efficiency();
  Json histogram = Json::array();
  for (unsigned threads = 1; threads <= warp_size; ++threads) histogram.push_back(stats.active_threads[threads]);
  json["active_threads"] = std::move(histogram);
  json["deepest"] = stats.deepest;
  json["state_bits_per_warp"] = stats.state_bits_per_warp;
  json["state_constant"] = stats.state_constant;
  json["likely_merges"] = stats.likely_merges;
  Json own = Json::object();
  for (const Counter& counter : stats.counters) own[std::string(counter.name)] = counter.value;
  json["mechanism_counters"] = std::move(own);
  if (stats.decisions) json["decisions"] = decisions_json(*stats.decisions);
}

Json launch_json(const LaunchResult& launch, const RunResult& result) {
  Json json;
  json["kernel"] = launch.stats.kernel;
  json["name"] = readable_name(launch.stats.kernel);
  json["grid"] = dimensions(launch.stats.grid);
  json["block"] = dimensions(launch.stats.block);
  add_counters(json, launch.stats, result.warp_size());
  if (result.spec.timed) add_timing(json, launch.stats, result.warp_size());
  if (result.spec.sample_launches > 0) json["timed_as"] = launch.stats.timed_as ? Json(*launch.stats.timed_as) : Json();
  if (result.spec.instruments.has("sample")) json["samples"] = samples_json(launch.stats, result.warp_size());
  if (launch.stats.compaction) json["compaction"] = compaction_json(*launch.stats.compaction);
  json["branch_records"] = branches_json(launch, result, false);
  return json;
}

// A field all launches agree on, or null.
template <class Field>
Json common(const std::vector<LaunchResult>& launches, Field&& field) {
  if (launches.empty()) return {};
  const Json first = field(launches.front());
  const bool same =
      std::all_of(launches.begin(), launches.end(), [&](const auto& each) { return field(each) == first; });
  return same ? first : Json();
}

Json total_json(const RunResult& result) {
  Json json;
  json["launches"] = result.launches.size();
  if (result.spec.sample_launches > 0) json["timed_launches"] = result.timed_launches();
  json["kernel"] = common(result.launches, [](const LaunchResult& each) { return Json(each.stats.kernel); });
  json["name"] =
      common(result.launches, [](const LaunchResult& each) { return Json(readable_name(each.stats.kernel)); });
  json["grid"] = common(result.launches, [](const LaunchResult& each) { return dimensions(each.stats.grid); });
  json["block"] = common(result.launches, [](const LaunchResult& each) { return dimensions(each.stats.block); });
  add_counters(json, result.total.stats, result.warp_size());
  if (result.spec.timed) add_timing(json, result.total.stats, result.warp_size());
  if (result.total.stats.compaction) json["compaction"] = compaction_json(*result.total.stats.compaction);
  json["branch_records"] = branches_json(result.total, result, true);
  return json;
}

}  // namespace

nlohmann::ordered_json run_json(const RunResult& result) {
  Json json;
  const RunSpec& spec = result.spec;
  const bool is_workload = spec.kind == RunSpec::Kind::Workload;
  json["schema"] = "heddle-run-1";
  json["run"] = spec_json(spec, result.config);
  json["command"] = command_of(spec);
  json["program"] = spec.program;
  json["size"] = is_workload ? Json(spec.size) : Json();
  json["compiler"] = is_workload ? Json(spec.compiler) : Json();
  json["preset"] = spec.preset;
  json["config"] = config_json(result.config, result.keys);
  json["mechanism"] = spec.mechanism;
  json["schedule"] = or_null(result.total.stats.interleaved ? result.schedule : "");  // null: nobody was asked
  json["lanes"] = spec.lanes;
  json["fidelity"] = spec.timed ? "cycle" : "emulation";
  json["check"] = nullptr;
  if (result.check) json["check"] = {{"passed", result.check->passed}, {"detail", result.check->detail}};
  json["error"] = nullptr;
  json["exit_code"] = static_cast<int>(result.passed() ? ExitCode::Ok : ExitCode::CheckFailed);
  if (result.failure) {
    json["error"] = result.failure->message;
    json["exit_code"] = static_cast<int>(result.failure->code);
  }
  if (result.ended_with) json["exit_code"] = *result.ended_with;  // the program's own, whatever it made of an error
  json["kernels"] = Json::array();
  for (const LaunchResult& launch : result.launches) json["kernels"].push_back(launch_json(launch, result));
  json["total"] = total_json(result);
  if (!spec.checks.empty()) json["checks"] = check_json(result);
  const auto per_second = [&](uint64_t count) {
    return result.seconds > 0 ? static_cast<double>(count) / result.seconds : 0.0;
  };
  json["host"] = {{"seconds", result.seconds}, {"issue_slots_per_second", per_second(result.total.stats.issue_slots)}};
  if (result.spec.timed) json["host"]["cycles_per_second"] = per_second(result.timing().cycles);
  return json;
}

Record record_of(const RunResult& result) {
  Record record{static_cast<int>(ExitCode::Ok), "", result.seconds, total_json(result)};
  const auto failed = [&](ExitCode code, std::string message) {
    record.exit_code = static_cast<int>(code);
    record.error = std::move(message);
  };
  if (result.failure)
    failed(result.failure->code, result.failure->message);
  else if (result.check && !result.check->passed)
    failed(ExitCode::CheckFailed, result.check->detail);
  else if (result.ended_with.value_or(0) != 0)
    failed(ExitCode::CheckFailed, fmt::format("the program ended with {}", *result.ended_with));
  else if (result.ended_with && result.launches.empty())
    failed(ExitCode::CheckFailed, "it launched no kernel, or none that this machine takes");
  for (const char* list : {"branch_records", "cores"}) record.total.erase(list);
  return record;
}

}  // namespace heddle
