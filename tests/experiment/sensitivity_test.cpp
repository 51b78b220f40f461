#include "experiment/sensitivity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/made_up.h"
#include "run/runner.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kOneClaim[] = R"(
title = "x"
preset = "tbc-hpca11"
[runs]
old = { mechanism = "pdom" }
new = { mechanism = "tbc" }
[[claim]]
id = "x.1"
text = "faster"
paper = "+20 %"
part = [{ name = "all", value = "ipc", of = "new", over = "old", on = ["bfs"], paper = 1.2 }]
)";

// Every value of the preset's table but its own, once.
TEST(Sensitivity, ChangesOnePlausibleValueAtATime) {
  const Experiment experiment = read_experiment(kOneClaim, "x", "x.toml");
  const Config config = make_config("tbc-hpca11", {});
  size_t expected = 0;
  for (const Plausible& each : config.plausible())
    for (const std::string& value : each.values) expected += value != config.text(each.key);
  EXPECT_GT(expected, 0U);
  const std::vector<Variant> variants = plausible_variants(experiment);
  EXPECT_EQ(variants.size(), expected);
  for (const Variant& variant : variants) {
    EXPECT_EQ(variant.settings.size(), 1U);
    EXPECT_NO_THROW(make_config("tbc-hpca11", variant.settings)) << variant.name;
  }
}

TEST(Sensitivity, FindsTheEndsOfEachFigureAndTheVerdictsThatTurn) {
  const Experiment experiment = read_experiment(kOneClaim, "x", "x.toml");
  ExperimentResult result{&experiment, "paper", {}, {}, std::nullopt};
  const auto with = [&](double ipc) {
    MadeUp made_up;
    made_up.ipc("old", "bfs", 10);
    made_up.ipc("new", "bfs", ipc);
    return judge_claim(experiment.claims[0], made_up.records());
  };
  Variant slow, fast, same;
  slow.name = "a = 1";
  fast.name = "b = 2";
  same.name = "c = 3";
  result.claims = {with(12)};
  result.variants = {{&slow, {with(9)}}, {&fast, {with(13)}}, {&same, {with(12)}}};
  const std::vector<Swing> swings = swings_of(result);
  ASSERT_EQ(swings.size(), 1U);
  EXPECT_DOUBLE_EQ(swings[0].ours, 1.2);
  EXPECT_DOUBLE_EQ(swings[0].least, 0.9);
  EXPECT_EQ(swings[0].least_by, "a = 1");
  EXPECT_DOUBLE_EQ(swings[0].most, 1.3);
  EXPECT_EQ(swings[0].most_by, "b = 2");
  EXPECT_THAT(swings[0].turned_by, ElementsAre("a = 1: does not hold"));
  EXPECT_THAT(sensitivity_table(result), HasSubstr("x.1, which holds, would be otherwise with a = 1: does not hold"));
}

}  // namespace
}  // namespace heddle
