// The report as the page of web/ with results inside; what it makes of them is tested there.
#include "report/page/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/machine_keys.h"

namespace heddle {
namespace {

using Json = ReportData::Json;
using testing::HasSubstr;
using testing::Not;

Json run_of(const std::string& program, const std::string& mechanism) {
  return Json{{"schema", "heddle-run-1"},
              {"program", program},
              {"size", "small"},
              {"compiler", "nvcc"},
              {"preset", "tbc-hpca11"},
              {"mechanism", mechanism},
              {"lanes", "none"},
              {"fidelity", "cycle"},
              {"exit_code", 0},
              {"error", nullptr},
              {"config", {{"warp_size", 32}}},
              {"kernels", Json::array({1})},
              {"total", {{"ipc", 10}, {"cores", Json::array({1})}}}};
}

ReportData data_of(std::vector<Json> runs) {
  ReportData data;
  for (Json& run : runs) EXPECT_EQ(data.add(std::move(run)), "");
  return data;
}

// What stands in the page's element for data.
std::string data_text(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=data>";
  const size_t from = page.find(begin) + begin.size();
  return page.substr(from, page.find("</script>", from) - from);
}

TEST(Page, CarriesTheResultsAndTheScriptThatShowsThem) {
  const ReportData data = data_of({run_of("v", "pdom")});
  const std::string page = report_html(data, "heddle report x");
  EXPECT_EQ(Json::parse(data_text(page)), page_data(data, "heddle report x"));
  EXPECT_THAT(page, HasSubstr("heddle-page-1"));
  EXPECT_THAT(page, HasSubstr("</script>\n</body>"));
}

TEST(Page, NothingThatOthersWroteEndsTheElementItStandsIn) {
  const std::string text = "</script><script>x</script>@DATA@";
  const std::string page = report_html(data_of({run_of(text, "pdom")}), text);
  EXPECT_THAT(page, Not(HasSubstr("<script>x")));
  EXPECT_EQ(Json::parse(data_text(page))["runs"][0]["program"], text);
  EXPECT_EQ(Json::parse(data_text(page))["command"], text);
}

TEST(Page, TextThatIsNotUtf8IsCarriedAllTheSame) {
  const std::string page = report_html(data_of({run_of("a\xff", "pdom")}), "c");
  EXPECT_EQ(Json::parse(data_text(page))["runs"][0]["program"], "a\xef\xbf\xbd");
}

TEST(Page, ARunNamesTheOptionsOfItsMachineOneByOne) {
  Json run = run_of("v", "pdom");
  run["compiler"] = "clang";
  run["config"]["warp_size"] = 16;
  run["config"]["no_key_of_heddle"] = 1;
  run["schedule"] = "two-level";
  run["lanes"] = "balanced";
  run["fidelity"] = "emulation";
  EXPECT_EQ(page_data(data_of({run}), "c")["runs"][0]["options"],
            Json::parse(R"([["--size", "small"], ["--preset", "tbc-hpca11"], ["--compiler", "clang"],
                            ["--set", "warp_size=16"], ["--schedule", "two-level"], ["--lanes", "balanced"],
                            ["--emulate", ""]])"));
}

TEST(Page, ARunThatDescribesItselfIsTakenAtItsWord) {
  Json run = run_of("v", "pdom");  // of a comparison in which another mechanism reads capt_entries
  run["run"] = Json::parse(R"({"settings": {"cores": 2, "capt_entries": 8}, "schedule": null})");
  run["schedule"] = "two-level";
  run["config"]["warp_size"] = 16;
  EXPECT_EQ(page_data(data_of({run}), "c")["runs"][0]["options"],
            Json::parse(R"([["--size", "small"], ["--preset", "tbc-hpca11"], ["--set", "cores=2"],
                            ["--set", "capt_entries=8"]])"));
}

TEST(Page, AKeptResultIsOfThePresetNearestToWhatItRead) {
  const Config machine = make_config("tbc-hpca11", std::vector<std::string>{"cores=3"});
  Json config = Json::object();
  for (const Key& key : machine.keys()) config[std::string(key.name)] = machine.text(key.name);
  Json kept{{"schema", "heddle-result-1"}, {"exit_code", 0}, {"error", ""}, {"total", {{"ipc", 10}}}};
  kept["identity"] = {{"workload", "bfs"}, {"size", "tiny"},      {"compiler", "nvcc"}, {"mechanism", "pdom"},
                      {"lanes", "none"},   {"fidelity", "cycle"}, {"simulator", "1"},   {"config", config}};
  const Json run = page_data(data_of({kept}), "c")["runs"][0];
  EXPECT_EQ(run["program"], "bfs");
  EXPECT_EQ(run["options"], Json::parse(R"([["--size", "tiny"], ["--preset", "tbc-hpca11"], ["--set", "cores=3"]])"));
  kept.erase("total");
  EXPECT_EQ(ReportData().add(kept), "not a whole result");
}

TEST(Page, RunsOfOneMachineShareItsConfigurationAndLeaveOutWhatIsNotShown) {
  Json other = run_of("v", "tbc");
  other["config"]["warp_size"] = 16;
  other["exit_code"] = static_cast<int>(ExitCode::Refused);
  const Json data = page_data(data_of({run_of("v", "pdom"), run_of("w", "pdom"), other}), "c");
  EXPECT_EQ(data["machines"], Json::parse(R"([{"warp_size": 32}, {"warp_size": 16}])"));
  EXPECT_EQ(data["runs"][1]["config"], 0);
  EXPECT_EQ(data["runs"][2]["config"], 1);
  EXPECT_EQ(data["runs"][0]["outcome"], "passed");
  EXPECT_EQ(data["runs"][2]["outcome"], "refused");
  EXPECT_FALSE(data["runs"][0].contains("kernels"));
  EXPECT_FALSE(data["runs"][0]["total"].contains("cores"));
  EXPECT_EQ(data["runs"][0]["total"]["ipc"], 10);
}

TEST(Page, KnowsEveryMechanismAndHasAColourForIt) {
  const Json names = page_data(data_of({run_of("v", "pdom")}), "c")["mechanisms"];
  ASSERT_EQ(names.size(), mechanisms().size());
  EXPECT_EQ(names[0], mechanisms().front().name);
  const std::string page = report_html(data_of({run_of("v", "pdom")}), "c");
  for (size_t i = 0; i < names.size(); ++i)
    EXPECT_THAT(page, HasSubstr("--m" + std::to_string(i) + ":")) << "web/src/shared/theme.css";
}

TEST(Page, AValidationIsCarriedWholeAndRefusedInParts) {
  const Json whole = Json::parse(R"({"schema": "heddle-validation-1", "command": "heddle validate", "hardware": {},
    "machine": {}, "agreement": {}, "micro": [{"hardware": 1, "simulated": 2}, {"hardware": 1, "failure": "deadlock"}],
    "kernels": [{"measures": {"cycles": {"hardware": 1, "simulated": 2}}, "core_cycles": {}}]})");
  EXPECT_EQ(page_data(data_of({whole}), "c")["validations"][0], whole);
  EXPECT_EQ(Json::parse(data_text(report_html(whole)))["command"], "heddle validate");
  for (const char* field : {"command", "hardware", "machine", "agreement", "micro", "kernels"}) {
    Json part = whole;
    part.erase(field);
    EXPECT_THAT(ReportData().add(part), HasSubstr("heddle validate writes it anew")) << field;
  }
  Json wrong = whole;
  wrong["kernels"][0]["measures"]["cycles"]["simulated"] = "fast";
  EXPECT_THAT(ReportData().add(wrong), HasSubstr("not a whole validation"));
  wrong = whole;
  wrong["micro"][0].erase("simulated");
  EXPECT_THAT(ReportData().add(wrong), HasSubstr("not a whole validation"));
}

TEST(Page, WhatIsNoResultIsRefusedWithAReason) {
  ReportData data;
  EXPECT_EQ(data.add(Json::array()), "no results of heddle");
  EXPECT_EQ(data.add(Json{{"schema", "heddle-run-1"}}), "not a whole run");
  EXPECT_EQ(data.add(Json{{"schema", "x"}}), "the page does not know 'x'");
  EXPECT_THAT(
      data.add(Json::parse(R"({"schema": "heddle-reproduction-1", "experiments": [{"claims": [{"id": "a.1"}]}]})")),
      HasSubstr("heddle reproduce writes it anew"));
  EXPECT_THROW(read_report_data("/nowhere"), Error);
}

}  // namespace
}  // namespace heddle
