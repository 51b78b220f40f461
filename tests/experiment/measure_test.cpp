// Every figure against one that was computed by hand.
#include "experiment/measure.h"

#include <gtest/gtest.h>

#include "experiment/made_up.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

TEST(Field, IsFoundByItsPathAndAnObjectIsTheSumOfItsNumbers) {
  const Record record{0, "", 0, Json::parse(R"({"caches": {"l1": {"misses": 7}}, "breakdown": {"Stall": 2, "W0_Mem": 3},
                                                "state_constant": true, "rates": null, "kernel": "k"})")};
  EXPECT_EQ(field_of(record, "caches.l1.misses"), 7);
  EXPECT_EQ(field_of(record, "breakdown"), 5);
  EXPECT_EQ(field_of(record, "state_constant"), 1);
  EXPECT_EQ(field_of(record, "rates"), std::nullopt);
  EXPECT_EQ(field_of(record, "rates.none"), std::nullopt);
  EXPECT_EQ(field_of(record, "kernel"), std::nullopt);
  EXPECT_EQ(field_of(record, "caches.l2.misses"), std::nullopt);
}

TEST(Field, PassedAndRefusedSpeakOfTheOutcome) {
  EXPECT_EQ(field_of({0, "", 0, {}}, "passed"), 1);
  EXPECT_EQ(field_of({1, "", 0, {}}, "passed"), 0);
  EXPECT_EQ(field_of({7, "", 0, {}}, "refused"), 1);
  EXPECT_EQ(field_of({1, "", 0, {}}, "refused"), 0);
}

TEST(StatisticOfARun, IsASumOverASumOrOverTheLargest) {
  const Record record{0, "", 0, {{"a", 6}, {"b", 2}, {"c", 3}, {"zero", 0}}};
  EXPECT_EQ(statistic_of(record, {{"a", "b"}, {}, {}}), 8);
  EXPECT_EQ(statistic_of(record, {{"a"}, {"b", "c", "b"}, {}}), 6.0 / 7);
  EXPECT_EQ(statistic_of(record, {{"a"}, {}, {"b", "c"}}), 2);
  EXPECT_EQ(statistic_of(record, {{"a"}, {"zero"}, {}}), std::nullopt);
  EXPECT_EQ(statistic_of(record, {{"a", "missing"}, {}, {}}), std::nullopt);
}

TEST(Folded, EveryKind) {
  const std::vector<double> values{1, 2, 4};
  EXPECT_DOUBLE_EQ(*folded(Fold::Harmonic, values, nullptr), 3 / 1.75);
  EXPECT_DOUBLE_EQ(*folded(Fold::Arithmetic, values, nullptr), 7.0 / 3);
  EXPECT_EQ(folded(Fold::Max, values, nullptr), 4);
  EXPECT_EQ(folded(Fold::Min, values, nullptr), 1);
  EXPECT_EQ(folded(Fold::Spread, values, nullptr), 4);
  const Condition above_one{1, 100, false, true};
  EXPECT_DOUBLE_EQ(*folded(Fold::Share, values, &above_one), 2.0 / 3);
  EXPECT_EQ(folded(Fold::Each, values, nullptr), std::nullopt);
  EXPECT_EQ(folded(Fold::Harmonic, {}, nullptr), std::nullopt);
  EXPECT_EQ(folded(Fold::Harmonic, {0, 1}, nullptr), 0);
}

TEST(MeasurePart, HarmonicMeanOfRatiosNotRatioOfMeans) {
  MadeUp made_up;
  made_up.ipc("old", "bfs", 10);
  made_up.ipc("new", "bfs", 20);  // 2
  made_up.ipc("old", "mum", 100);
  made_up.ipc("new", "mum", 100);  // 1
  const Measured measured = measure_part(ipc_part({"bfs", "mum"}), made_up.records());
  EXPECT_DOUBLE_EQ(*measured.figure, 2 / (1 / 2.0 + 1 / 1.0));
  EXPECT_EQ(measured.workloads[0].value, 2);
}

TEST(MeasurePart, WrongAndMissingRunsCountInNoMeanAndAreNamed) {
  MadeUp made_up;
  for (const char* workload : {"bfs", "nvrt", "mum"}) made_up.ipc("old", workload, 10);
  made_up.ipc("new", "bfs", 11);
  made_up.add("new", "nvrt", {{"ipc", 99}}, 1);
  const Measured measured = measure_part(ipc_part({"bfs", "nvrt", "mum"}), made_up.records());
  EXPECT_DOUBLE_EQ(*measured.figure, 1.1);
  EXPECT_EQ(measured.workloads[1].missing, "FAILED under new");
  EXPECT_EQ(measured.workloads[2].missing, "not measured");
}

TEST(MeasurePart, ViaARunFoldsBothSidesByThemselves) {
  MadeUp made_up;  // new/base: 2 and 1; old/base: 4/5 for bfs only, as it gets nvrt wrong
  for (const char* workload : {"bfs", "nvrt"}) made_up.ipc("base", workload, 10);
  made_up.ipc("new", "bfs", 20);
  made_up.ipc("new", "nvrt", 10);
  made_up.ipc("old", "bfs", 8);
  made_up.add("old", "nvrt", {}, 1);
  Part part = ipc_part({"bfs", "nvrt"});
  part.via = "base";
  EXPECT_DOUBLE_EQ(*measure_part(part, made_up.records()).figure, (2 / 1.5) / 0.8);
}

TEST(MeasurePart, OfSeveralRunsTheBestOfEachWorkloadCounts) {
  MadeUp made_up;
  made_up.ipc("old", "bfs", 10);
  made_up.ipc("new", "bfs", 8);
  made_up.ipc("newer", "bfs", 9);
  Part part = ipc_part({"bfs"});
  part.of = {"new", "newer"};
  EXPECT_DOUBLE_EQ(*measure_part(part, made_up.records()).figure, 0.9);
  part.of = {"old"};
  part.over = {"new", "newer"};
  EXPECT_DOUBLE_EQ(*measure_part(part, made_up.records()).figure, 10.0 / 9);
}

TEST(MeasurePart, OnlyTakesTheWorkloadsThatMeetItsCondition) {
  MadeUp made_up;
  made_up.add("new", "bfs", {{"rate", 0.5}, {"ideal", 0.7}});
  made_up.add("new", "mum", {{"rate", 0.0}, {"ideal", 0.0}});
  Part part;
  part.value = {{"rate"}, {}, {}};
  part.of = {"new"};
  part.on = {"bfs", "mum"};
  part.fold = Fold::Arithmetic;
  EXPECT_DOUBLE_EQ(*measure_part(part, made_up.records()).figure, 0.25);
  part.only = Filter{{{"ideal"}, {}, {}}, Condition::parse("> 0", "")};
  EXPECT_DOUBLE_EQ(*measure_part(part, made_up.records()).figure, 0.5);
  EXPECT_EQ(measure_part(part, made_up.records()).workloads.size(), 1U);
}

}  // namespace
}  // namespace heddle
