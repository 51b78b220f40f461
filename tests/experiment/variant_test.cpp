// Claims measured again with one thing changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "experiment/experiment.h"
#include "experiment/made_up.h"
#include "experiment/reproduction.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kExperiment[] = R"(
title = "x"
preset = "tbc-hpca11"
compiler = "clang"
[runs]
old = { mechanism = "pdom" }
new = { mechanism = "tbc", set = ["lcp=true"] }
[[claim]]
id = "x.1"
text = "faster"
paper = "+20 %"
part = [{ name = "all", value = "ipc", of = "new", over = "old", on = ["bfs", "mum"], paper = 1.2 }]
[[claim]]
id = "x.2"
text = "fewer"
paper = "x"
part = [{ name = "all", value = "issue_slots", of = "new", over = "old", on = "bfs", holds = "< 1" }]
[variants]
)";

Experiment with(const std::string& variants) { return read_experiment(kExperiment + variants, "x", "x.toml"); }

TEST(Variant, ChangesWhatItNamesAndNothingElse) {
  const Experiment experiment = with(
      "\"z code\" = { compiler = \"nvcc\" }\n"
      "cache = { set = \"l1_ways=4\", claims = \"x.1\" }\n"
      "input = { instead = { bfs = \"mum\" }, preset = \"default\" }\n");
  ASSERT_EQ(experiment.variants.size(), 3U);  // in the order of the file
  const auto spec = [&](size_t variant) { return experiment.spec("new", "bfs", true, &experiment.variants[variant]); };
  EXPECT_EQ(experiment.spec("new", "bfs", true).compiler, "clang");
  EXPECT_EQ(spec(0).compiler, "nvcc");
  EXPECT_EQ(spec(0).preset, "tbc-hpca11");
  EXPECT_THAT(spec(1).settings, ElementsAre("lcp=true", "l1_ways=4"));
  EXPECT_EQ(spec(1).compiler, "clang");
  EXPECT_EQ(spec(2).program, "mum");
  EXPECT_EQ(spec(2).preset, "default");
  EXPECT_EQ(spec(2).size, "small");
}

TEST(Variant, IsAboutAllClaimsOrTheOnesItNames) {
  const Experiment experiment = with("a = { compiler = \"nvcc\" }\nb = { compiler = \"nvcc\", claims = \"x.2\" }\n");
  EXPECT_TRUE(experiment.variants[0].column());
  EXPECT_TRUE(experiment.variants[0].about("x.1"));
  EXPECT_FALSE(experiment.variants[1].column());
  EXPECT_FALSE(experiment.variants[1].about("x.1"));
  EXPECT_TRUE(experiment.variants[1].about("x.2"));
}

TEST(Variant, AsksOnItsWorkloadsAlone) {
  const Experiment experiment = with("a = { compiler = \"nvcc\", claims = \"x.1\", on = \"mum\" }\n");
  const Claim& asked = experiment.variants[0].asked(experiment.claims[0]);
  ASSERT_EQ(asked.parts.size(), 1U);
  EXPECT_THAT(asked.parts[0].on, ElementsAre("mum"));
  EXPECT_THAT(experiment.claims[0].parts[0].on, ElementsAre("bfs", "mum"));
  EXPECT_EQ(&experiment.variants[0].asked(experiment.claims[1]), &experiment.claims[1]);
}

TEST(Variant, PartsAndOrdersWithoutItsWorkloadsAreGone) {
  const Experiment experiment = read_experiment(R"(
title = "x"
preset = "default"
[runs]
old = { mechanism = "pdom" }
[[claim]]
id = "x.1"
text = "x"
paper = "x"
part = [
  { name = "both", value = "ipc", of = "old", on = ["bfs", "mum"], judged = false },
  { name = "one", value = "ipc", of = "old", on = "bfs", judged = false },
  { name = "other", value = "ipc", of = "old", on = "mum", judged = false },
]
orders = [["both", "one"], ["both", "other"]]
[variants]
a = { compiler = "nvcc", claims = "x.1", on = "mum" }
)",
                                                "x", "x.toml");
  const Claim& asked = experiment.variants[0].asked(experiment.claims[0]);
  ASSERT_EQ(asked.parts.size(), 2U);
  EXPECT_EQ(asked.parts[1].name, "other");
  EXPECT_THAT(asked.orders, ElementsAre(ElementsAre("both", "other")));
}

TEST(Variant, WhatIsWrongIsSaidWithItsLine) {
  const auto message = [](const std::string& variant) -> std::string {
    try {
      with(variant);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("a = { compiler = \"nvc\" }"), HasSubstr("x.toml:19"));
  EXPECT_THAT(message("a = { compiler = \"nvc\" }"), HasSubstr("nvc"));
  EXPECT_THAT(message("a = { claims = \"x.3\" }"), HasSubstr("x.3"));
  EXPECT_THAT(message("a = { instead = { bfs = \"mumm\" } }"), HasSubstr("mumm"));
  EXPECT_THAT(message("a = { on = \"mumm\", claims = \"x.1\" }"), HasSubstr("mumm"));
  EXPECT_THAT(message("a = { on = \"mum\", claims = \"x.2\" }"), HasSubstr("x.2"));
  EXPECT_THAT(message("a = { on = \"mum\" }"), HasSubstr("claims"));
  EXPECT_THAT(message("a = { set = \"capt_cycles=3\" }"), HasSubstr("capt_cycles"));  // capri's: no run here is
  EXPECT_THAT(message("a = { colour = \"red\" }"), HasSubstr("colour"));
  EXPECT_THAT(message("a = 3"), HasSubstr("variant"));
}

// A column of its own, or a table below.
TEST(Variant, IsShownBesideTheClaimOrBelow) {
  const Experiment experiment =
      with("code = { compiler = \"nvcc\" }\nways = { set = \"l1_ways=4\", claims = \"x.1\" }\n");
  MadeUp here, there;
  for (const char* workload : {"bfs", "mum"}) {
    here.add("old", workload, {{"ipc", 10}, {"issue_slots", 8}});
    here.add("new", workload, {{"ipc", 12}, {"issue_slots", 6}});
    there.add("old", workload, {{"ipc", 10}, {"issue_slots", 8}});
    there.add("new", workload, {{"ipc", 9}, {"issue_slots", 8}});
  }
  ExperimentResult result{&experiment, "paper", {}, {}, std::nullopt};
  for (const Claim& claim : experiment.claims) result.claims.push_back(judge_claim(claim, here.records()));
  for (const Variant& variant : experiment.variants) {
    result.variants.push_back({&variant, {}});
    for (const Claim& claim : experiment.claims)
      if (variant.about(claim.id)) result.variants.back().claims.push_back(judge_claim(claim, there.records()));
  }
  const std::string table = reproduction_table({false, false, {result}, {}}, false);
  EXPECT_THAT(table, testing::ContainsRegex("x.1 .*\\+20.0 % .*holds .*-10.0 %, does not hold"));
  EXPECT_THAT(table, testing::ContainsRegex("x.1 +ways +-10.0 % +does not hold"));
  EXPECT_THAT(table, testing::Not(testing::ContainsRegex("x.2 +ways")));
  const std::string page = reproduction_page({false, false, {result}, {}}, "c");
  EXPECT_THAT(page, HasSubstr("| claim |  | paper | ours | verdict | code |"));
  EXPECT_THAT(page, HasSubstr("| x.1 | ways |  | -10.0 % | does not hold |"));
  const auto json = reproduction_json({false, false, {result}, {}});
  EXPECT_EQ(json["experiments"][0]["variants"][0]["claims"][0]["verdict"], "does not hold");
  EXPECT_EQ(json["experiments"][0]["variants"][1]["all_claims"], false);
}

}  // namespace
}  // namespace heddle
