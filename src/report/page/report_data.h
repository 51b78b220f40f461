// What `heddle report` is made from: results as JSON, of one file or of a folder of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heddle {

struct ReportData {
  using Json = nlohmann::ordered_json;

  bool of_folder = false;  // nobody chose an order of the mechanisms
  std::vector<Json> runs;  // "heddle-run-1"
  std::vector<Json> profiles;
  std::vector<Json> sweeps;          // "heddle-sweep-1", their runs apart
  std::vector<Json> claims;          // "heddle-reproduction-1"
  std::vector<Json> validations;     // "heddle-validation-1"
  std::vector<std::string> ignored;  // files that are none of these, and why

  // Takes the results of one JSON object, whatever it is; says why it cannot ("" if it can).
  std::string add(Json json);
  bool empty() const { return runs.empty() && profiles.empty() && claims.empty() && validations.empty(); }
};

// A JSON file of run, compare, sweep, profile, reproduce or validate, or a folder with such files, at any depth. Error
// (Usage) if there is nothing to show.
ReportData read_report_data(const std::string& path);

}  // namespace heddle
