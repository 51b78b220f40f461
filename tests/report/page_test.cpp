// The report as text: what needs no browser.
#include "report/page/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "divergence/registry.h"
#include "report/page/charts.h"

namespace heddle {
namespace {

using Json = ReportData::Json;
using testing::HasSubstr;
using testing::Not;

Json run_of(const std::string& program, const std::string& mechanism, double ipc, double efficiency) {
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
              {"total",
               {{"ipc", ipc},
                {"simd_efficiency", efficiency},
                {"issue_slots", 100},
                {"idle_cycles", 10},
                {"breakdown", {{"W1-4", 30}, {"Stall", 60}, {"W0_Idle", 10}}},
                {"active_threads", Json::array({1})}}}};
}

ReportData data_of(std::vector<Json> runs) {
  ReportData data;
  for (Json& run : runs) EXPECT_EQ(data.add(std::move(run)), "");
  return data;
}

std::optional<double> value_of(const Chart& chart, const std::string& group, size_t series) {
  for (const Chart::Datum& datum : chart.data)
    if (datum.group == group && datum.series == series) return datum.value;
  return std::nullopt;
}

TEST(Page, SpeedIsAgainstTheFirstMechanismAndItsMeanIsHarmonic) {
  const ReportData data = data_of(
      {run_of("v", "a", 10, 0.5), run_of("v", "b", 20, 0.5), run_of("w", "a", 10, 0.5), run_of("w", "b", 5, 0.5)});
  const Chart chart = ipc_chart(groups_of(data).at(0));
  EXPECT_EQ(value_of(chart, "v", 1), 2.0);
  EXPECT_EQ(value_of(chart, "w", 1), 0.5);
  EXPECT_EQ(value_of(chart, "mean", 1), 0.8);  // 2 / (1/2 + 2)
}

TEST(Page, ARunWithAWrongResultCountsInNoMeanAndIsNamed) {
  Json wrong = run_of("w", "b", 1000, 0.5);
  wrong["exit_code"] = 1;
  wrong["check"] = {{"passed", false}, {"detail", "3 values differ"}};
  const ReportData data =
      data_of({run_of("v", "a", 10, 0.5), run_of("v", "b", 20, 0.5), run_of("w", "a", 10, 0.5), wrong});
  const Chart chart = ipc_chart(groups_of(data).at(0));
  EXPECT_EQ(value_of(chart, "mean", 1), 2.0);
  EXPECT_EQ(value_of(chart, "w", 1), std::nullopt);
  EXPECT_THAT(report_html(data, "c"), HasSubstr("3 values differ"));
}

TEST(Page, RunsOfDifferentMachinesAreNotLaidSideBySide) {
  Json other = run_of("v", "b", 20, 0.5);
  other["config"]["warp_size"] = 16;
  const ReportData data = data_of({run_of("v", "a", 10, 0.5), other});
  const std::vector<RunGroup> groups = groups_of(data);
  ASSERT_EQ(groups.size(), 2);
  EXPECT_EQ(groups[1].words, "--size small --preset tbc-hpca11 --set warp_size=16");
}

TEST(Page, ACurveIsFoundAmongRunsThatDifferInOneKey) {
  std::vector<Json> runs;
  for (const auto& [rows, ipc] : {std::pair{8, 1.0}, {16, 2.0}, {32, 3.0}, {0, 4.0}})
    for (const char* workload : {"v", "w"}) {
      runs.push_back(run_of(workload, "capri", ipc, 0.5));
      runs.back()["config"]["capt_entries"] = rows;
    }
  const std::vector<Chart> curves = sweep_charts(data_of(runs));
  ASSERT_EQ(curves.size(), 1);
  EXPECT_EQ(curves[0].id, "curve-capt_entries");
  ASSERT_EQ(curves[0].data.size(), 4);
  EXPECT_EQ(curves[0].data[0].value, 1.0);
  EXPECT_EQ(curves[0].data[3].value, 4.0);  // no limit comes last
  EXPECT_THAT(curves[0].command, HasSubstr("for n in 8 16 32 0; do heddle compare v w --mechanisms capri "));
}

TEST(Page, PointsWithFewWorkloadsDoNotTakeTheOthersFromACurve) {
  std::vector<Json> runs;
  for (const int rows : {2, 4, 8, 16})
    for (const char* workload : {"v", "w"}) {
      if (rows == 2 && *workload == 'w') continue;
      runs.push_back(run_of(workload, "capri", 1, 0.5));
      runs.back()["config"]["capt_entries"] = rows;
    }
  const std::vector<Chart> curves = sweep_charts(data_of(runs));
  ASSERT_EQ(curves.size(), 2);
  EXPECT_EQ(curves[0].data.size(), 4);
  EXPECT_THAT(curves[0].command, HasSubstr("compare v --mechanisms"));
  EXPECT_EQ(curves[1].data.size(), 3);
  EXPECT_THAT(curves[1].command, HasSubstr("compare v w --mechanisms"));
}

TEST(Page, NothingThatOthersWroteBecomesPartOfThePage) {
  const std::string text = "\"><script>x</script>";
  Json run = run_of(text, "a", 10, 0.5);
  run["preset"] = text;
  run["config"][text] = text;
  const std::string page = report_html(data_of({run, run_of(text, text, 20, 0.5)}), text);
  EXPECT_THAT(page, Not(HasSubstr("<script>x")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;x"));
}

TEST(Page, WhatIsNotThereIsNamedWithItsCommand) {
  const std::string page = report_html(data_of({run_of("v", "a", 10, 0.5)}), "c");
  EXPECT_THAT(page, HasSubstr("heddle reproduce"));
  EXPECT_THAT(page, HasSubstr("--scores"));
}

TEST(Page, ClaimsHaveTheirVerdicts) {
  ReportData data;
  EXPECT_EQ(data.add(Json::parse(R"({"schema": "heddle-reproduction-1", "quick": true, "experiments": [{"name": "tbc",
      "title": "Thread block compaction", "size": "small", "claims": [{"id": "tbc.1", "text": "faster", "paper": "+22 %",
      "verdict": "does not hold", "parts": [{"name": "divergent", "paper": 1.22, "figure": 0.97, "unit": "change",
      "unit_of_workloads": "percent", "verdict": "does not hold", "workloads": [{"workload": "bfs", "value": 0.103}]}],
      "orders": [{"largest_first": ["a", "b"], "verdict": "holds"}], "remark": "because <of> this"}]}]})")),
            "");
  const std::string page = report_html(data, "c");
  for (const char* part : {"tbc.1", "faster", "does not hold", ">+22.0 %<", ">-3.0 %<", "bfs&nbsp;<span>10.3 %<",
                           "order: a &gt; b", "because &lt;of&gt; this"})
    EXPECT_THAT(page, HasSubstr(part));
}

TEST(Page, AHeadToHeadShowsWhoWinsWhereAndWhyAFigureIsMissing) {
  const Json experiment = Json::parse(R"({"head_to_head": {"mechanisms": [{"name": "pdom", "ipc_all": 1.0},
      {"name": "dwf", "ipc_all": 1.25}], "workloads": [
      {"workload": "v", "class": "coherent", "winner": "dwf", "ipc_against_first": {"pdom": 1.0, "dwf": 1.5}},
      {"workload": "w", "class": "divergent", "winner": "pdom", "ipc_against_first": {"pdom": 1.0, "dwf": null},
       "missing": {"dwf": "FAILED"}}]}})");
  const Chart contests = contests_chart(experiment, "c");
  EXPECT_EQ(contests.data[0].group, "w");  // divergent workloads first
  EXPECT_EQ(value_of(contests, "v", 1), 1.5);
  EXPECT_EQ(value_of(contests, "w", 1), std::nullopt);
  EXPECT_EQ(contests.data[1].note, "FAILED");
  EXPECT_TRUE(contests.data[3].best);
  EXPECT_EQ(value_of(contenders_chart(experiment, "c"), "dwf", 2), 1.25);
}

TEST(Page, ManyBarsBecomeAHeatChartAndTheMeanOfTheBreakdownStandsForItself) {
  std::vector<Json> runs;
  for (int w = 0; w < 31; ++w)
    for (const char* mechanism : {"a", "b"}) runs.push_back(run_of(std::to_string(w), mechanism, 10, 0.5));
  runs[1]["total"]["breakdown"]["Stall"] = 370;  // "b" on "0": 410 over 100
  const ReportData data = data_of(runs);
  const RunGroup group = groups_of(data).at(0);
  EXPECT_EQ(ipc_chart(group).kind, Chart::Kind::Heat);
  EXPECT_TRUE(breakdown_chart(group).folded);
  double sums[2] = {};
  for (const Chart::Datum& datum : mean_breakdown_chart(group).data) sums[datum.bar == "b"] += *datum.value;
  EXPECT_NEAR(sums[0], 1, 1e-12);
  EXPECT_NEAR(sums[1], (30 + 4.1) / 31, 1e-12);
}

TEST(Page, EveryMechanismHasAColourOfItsOwn) {
  std::set<std::string> colours;
  for (const MechanismRow& row : mechanisms()) colours.insert(mechanism_colour(std::string(row.name)));
  EXPECT_EQ(colours.size(), mechanisms().size());
}

TEST(Page, WhatIsNoResultIsRefusedWithAReason) {
  ReportData data;
  EXPECT_EQ(data.add(Json::array()), "no results of heddle");
  EXPECT_EQ(data.add(Json{{"schema", "heddle-run-1"}}), "not a whole run");
  EXPECT_EQ(data.add(Json{{"schema", "x"}}), "the page does not know 'x'");
  EXPECT_THROW(read_report_data("/nowhere"), Error);
}

}  // namespace
}  // namespace heddle
