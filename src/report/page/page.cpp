#include "report/page/page.h"

#include "base/error.h"
#include "divergence/registry.h"
#include "report/comparison.h"
#include "report/page/distinct_json.h"
#include "report/page/filled_page.h"
#include "report/page/machine_options.h"

namespace heddle {
namespace {

using Json = ReportData::Json;

// Hundreds of runs share a few machines.
Json run_data(const Json& given, DistinctJson& machines) {
  Json run = given;
  run["options"] = machine_options(given);
  run["outcome"] = outcome_of(static_cast<ExitCode>(given["exit_code"].get<int>()));
  run["config"] = machines.place_of(given["config"]);
  if (given["schema"] != "heddle-profile-1") run.erase("kernels");  // each launch of a run; of a profile each kernel
  run.erase("host");
  for (const char* unused : {"branch_records", "cores", "caches", "dram"}) run["total"].erase(unused);
  return run;
}

}  // namespace

Json page_data(const ReportData& results, const std::string& command) {
  Json data{{"schema", "heddle-page-1"}, {"command", command}, {"of_folder", results.of_folder}};
  data["mechanisms"] = Json::array();
  for (const MechanismRow& row : mechanisms()) data["mechanisms"].push_back(row.name);
  DistinctJson machines;
  data["runs"] = Json::array();
  for (const Json& run : results.runs) data["runs"].push_back(run_data(run, machines));
  data["profiles"] = Json::array();
  for (const Json& profile : results.profiles) data["profiles"].push_back(run_data(profile, machines));
  data["machines"] = std::move(machines.list);
  data["sweeps"] = results.sweeps;
  data["reproductions"] = results.claims;
  data["validations"] = results.validations;
  data["not_read"] = results.ignored;
  return data;
}

std::string report_html(const ReportData& results, const std::string& command) {
  return filled_page("page.html", page_data(results, command));
}

std::string report_html(const Json& result) {
  ReportData results;
  results.add(result);
  return report_html(results, result["command"]);
}

}  // namespace heddle
