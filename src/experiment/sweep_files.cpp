// A sweep as CSV, for spreadsheets and scripts, and as JSON, which heddle report reads.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiment/reproduction.h"
#include "experiment/sweep.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFigures[] = {"cycles",          "ipc",         "issue_slots",        "thread_instructions",
                                    "simd_efficiency", "idle_cycles", "state_bits_per_warp"};

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string outcome(const Sweep& sweep, size_t point, const Batch::Run* run) {
  if (!run) return "cannot be: " + sweep.contradiction(point);
  if (!run->record) return "not measured";
  return run->record->passed() ? "passed" : outcome_of(*run->record);
}

std::string figure(const Batch::Run* run, const char* field) {
  if (!run || !run->record || !run->record->total.contains(field)) return "";
  return run->record->total[field].dump();
}

}  // namespace

std::string sweep_csv(const Sweep& sweep, const Batch& batch) {
  std::string text = "workload";
  for (const Axis& axis : sweep.axes()) text += "," + axis.name;
  for (const char* field : kFigures) text += fmt::format(",{}", field);
  text += ",outcome\n";
  for (size_t point = 0; point < sweep.points(); ++point)
    for (size_t workload = 0; workload < sweep.workloads().size(); ++workload) {
      const Batch::Run* const run = sweep.run(batch, point, workload);
      text += csv_cell(sweep.workloads()[workload]);
      for (const std::string& value : sweep.values(point)) text += "," + csv_cell(value);
      for (const char* field : kFigures) text += "," + figure(run, field);
      text += "," + csv_cell(outcome(sweep, point, run)) + "\n";
    }
  return text;
}

Json sweep_json(const Sweep& sweep, const Batch& batch, const std::string& command) {
  Json json{
      {"schema", "heddle-sweep-1"}, {"command", command}, {"workloads", sweep.workloads()}, {"axes", Json::array()}};
  for (const Axis& axis : sweep.axes()) json["axes"].push_back({{"name", axis.name}, {"values", axis.values}});
  json["contradictions"] = Json::array();
  for (size_t point = 0; point < sweep.points(); ++point)
    if (!sweep.contradiction(point).empty())
      json["contradictions"].push_back({{"values", sweep.values(point)}, {"why", sweep.contradiction(point)}});
  json["head_to_head"] = head_to_head_json(ranked(sweep, batch));
  json["runs"] = Json::array();
  for (const Batch::Run& run : batch.runs()) {
    if (!run.record) continue;
    Json result = result_json(run.spec, run.identity, *run.record);
    result.erase("seconds");  // of the host: results are the same wherever they were measured
    json["runs"].push_back(std::move(result));
  }
  return json;
}

}  // namespace heddle
