#include "report/page/report_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/error.h"
#include "report/page/kept_result.h"

namespace heddle {
namespace {

using Json = ReportData::Json;

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ExitCode::Usage, fmt::format("cannot read '{}'", path.string()));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Everything the page asks of a run without looking.
bool is_run(const Json& json) {
  const auto has = [&](const char* field, bool (Json::*is)() const noexcept) {
    return json.contains(field) && (json[field].*is)();
  };
  return has("program", &Json::is_string) && has("mechanism", &Json::is_string) && has("lanes", &Json::is_string) &&
         has("fidelity", &Json::is_string) && has("config", &Json::is_object) && has("total", &Json::is_object) &&
         has("exit_code", &Json::is_number_integer);
}

bool is_profile(const Json& json) {
  for (const char* list : {"lines", "branches", "sources"})
    if (!json.contains(list) || !json[list].is_array()) return false;
  for (const Json& source : json["sources"])
    if (!source.contains("lines") || !source["lines"].is_array()) return false;
  return is_run(json) && json.contains("cost") && json["cost"].is_object();
}

// Claims carry their lines as they are shown; those of an older heddle do not.
bool is_reproduction(const Json& json) {
  if (!json.contains("experiments") || !json["experiments"].is_array()) return false;
  for (const Json& experiment : json["experiments"]) {
    if (!experiment.contains("claims") || !experiment["claims"].is_array()) return false;
    for (const Json& claim : experiment["claims"])
      if (!claim.contains("lines") || !claim["lines"].is_array()) return false;
  }
  return true;
}

// Two numbers side by side, those of hardware and of heddle.
bool is_beside(const Json& json) {
  const auto number = [&](const char* field) { return json.contains(field) && json[field].is_number(); };
  return json.is_object() && number("hardware") && number("simulated");
}

bool is_measured_kernel(const Json& json) {
  if (!json.is_object() || !json.contains("measures") || !json["measures"].is_object()) return false;
  if (!json.contains("core_cycles") || !json["core_cycles"].is_object()) return false;
  const Json& measures = json["measures"];
  return std::all_of(measures.begin(), measures.end(), is_beside);
}

bool is_validation(const Json& json) {
  for (const char* list : {"micro", "kernels"})
    if (!json.contains(list) || !json[list].is_array()) return false;
  for (const char* object : {"hardware", "machine", "agreement"})
    if (!json.contains(object) || !json[object].is_object()) return false;
  const auto is_micro = [](const Json& micro) {
    return is_beside(micro) || (micro.is_object() && micro.contains("failure"));
  };
  return json.contains("command") && json["command"].is_string() &&
         std::all_of(json["micro"].begin(), json["micro"].end(), is_micro) &&
         std::all_of(json["kernels"].begin(), json["kernels"].end(), is_measured_kernel);
}

// The ranks of its points; those of an older heddle have none.
bool is_ranked_sweep(const Json& json) {
  if (!json.contains("command") || !json.contains("head_to_head") || !json["head_to_head"].is_object()) return false;
  const Json& ranks = json["head_to_head"];
  return ranks.contains("mechanisms") && ranks["mechanisms"].is_array() && ranks.contains("workloads") &&
         ranks["workloads"].is_array();
}

std::string add_file(ReportData& results, const std::filesystem::path& path) {
  Json json = Json::parse(read_text(path), nullptr, false);
  return json.is_discarded() ? "not JSON" : results.add(std::move(json));
}

// Results of several builds of heddle are not to be compared: those of the build with the most stay.
void keep_one_build(ReportData& results) {
  const auto build_of = [](const Json& run) { return run.value("simulator", ""); };
  std::map<std::string, size_t> builds;
  for (const Json& run : results.runs)
    if (!build_of(run).empty()) ++builds[build_of(run)];
  if (builds.size() < 2) return;
  const auto most =
      std::max_element(builds.begin(), builds.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const size_t left_out = std::erase_if(
      results.runs, [&](const Json& run) { return !build_of(run).empty() && build_of(run) != most->first; });
  results.ignored.push_back(fmt::format("{} results that another build of heddle has measured", left_out));
}

void add_folder(ReportData& results, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files)
    if (const std::string why = add_file(results, file); !why.empty())
      results.ignored.push_back(fmt::format("{}: {}", file.lexically_relative(folder).string(), why));
  keep_one_build(results);
}

}  // namespace

std::string ReportData::add(Json json) {
  if (!json.is_object() || !json.contains("schema") || !json["schema"].is_string()) return "no results of heddle";
  const std::string schema = json["schema"];
  if (schema == "heddle-run-1") {
    if (!is_run(json)) return "not a whole run";
    runs.push_back(std::move(json));
    return "";
  }
  if ((schema == "heddle-compare-1" || schema == "heddle-sweep-1") && json.contains("runs") &&
      json["runs"].is_array()) {
    std::string why;
    for (Json& run : json["runs"])
      if (const std::string bad = add(std::move(run)); !bad.empty()) why = bad;
    json.erase("runs");
    if (is_ranked_sweep(json)) sweeps.push_back(std::move(json));
    return why;
  }
  if (schema == "heddle-profile-1") {
    if (!is_profile(json)) return "not a whole profile";
    profiles.push_back(std::move(json));
    return "";
  }
  if (schema == "heddle-result-1") {
    Json run = run_of_kept(json);
    return run.is_null() ? "not a whole result" : add(std::move(run));
  }
  if (schema == "heddle-reproduction-1") {
    if (!is_reproduction(json)) return "not a whole reproduction; heddle reproduce writes it anew";
    claims.push_back(std::move(json));
    return "";
  }
  if (schema == "heddle-validation-1") {
    if (!is_validation(json)) return "not a whole validation; heddle validate writes it anew";
    validations.push_back(std::move(json));
    return "";
  }
  return fmt::format("the page does not know '{}'", schema);
}

ReportData read_report_data(const std::string& path) {
  ReportData results;
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status)) throw Error(ExitCode::Usage, fmt::format("there is no '{}'", path));
  results.of_folder = std::filesystem::is_directory(status);
  if (results.of_folder)
    add_folder(results, path);
  else if (const std::string why = add_file(results, path); !why.empty())
    throw Error(ExitCode::Usage, fmt::format("cannot make a report from '{}': {}", path, why));
  if (results.empty())
    throw Error(ExitCode::Usage,
                fmt::format("no results in '{}'; they are made by heddle run, compare, sweep, profile, reproduce or "
                            "validate (--json FILE)",
                            path));
  return results;
}

}  // namespace heddle
