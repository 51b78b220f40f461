// The experiments that are part of the program, and what the reader refuses.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "experiment/experiment.h"
#include "run/identity.h"
#include "run/runner.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Read once: every run of theirs is checked then.
const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = all_experiments();
  return all;
}

const Experiment& experiment_of(std::string_view name) {
  return *std::find_if(experiments().begin(), experiments().end(), [&](const auto& each) { return each.name == name; });
}

TEST(Experiments, EveryClaimOfThePapersHasOneRow) {
  for (const auto& [paper, claims] : {std::pair{"tbc", 16}, {"capri", 13}, {"lwm", 11}, {"slp", 9}, {"stackless", 4}})
    EXPECT_EQ(experiment_of(paper).claims.size(), static_cast<size_t>(claims)) << paper;
}

TEST(Experiments, ClaimsAreNumberedByTheirExperiment) {
  for (const Experiment& experiment : experiments()) {
    std::set<std::string> expected, found;
    for (size_t i = 1; i <= experiment.claims.size(); ++i) expected.insert(fmt::format("{}.{}", experiment.name, i));
    for (const Claim& claim : experiment.claims) found.insert(claim.id);
    EXPECT_EQ(found, expected);
  }
}

TEST(Experiments, PapersComeFirstAndByTheirDate) {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
  EXPECT_EQ(names.size(), experiment_names().size());
  const auto place = [&](const char* name) { return std::find(names.begin(), names.end(), name); };
  EXPECT_LT(place("lwm"), place("tbc"));         // 2010, 2011
  EXPECT_LT(place("tbc"), place("capri"));       // 2012
  EXPECT_LT(place("capri"), place("slp"));       // 2013
  EXPECT_LT(place("slp"), place("all-on-one"));  // no paper
}

TEST(Experiments, AllOnOneHasEveryMechanismThatHasCyclesAndEveryUsualWorkload) {
  const Experiment& experiment = experiment_of("all-on-one");
  ASSERT_TRUE(experiment.head_to_head);
  EXPECT_EQ(experiment.head_to_head->runs.front(), "pdom");
  EXPECT_THAT(experiment.head_to_head->runs, testing::IsSupersetOf({"tbc", "capri", "dwf", "stackless", "pomp"}));
  EXPECT_THAT(experiment.head_to_head->runs, testing::Not(testing::Contains("mimd")));
  EXPECT_EQ(
      experiment.head_to_head->workloads.size(),
      static_cast<size_t>(std::ranges::count(workloads::all(), workloads::Kind::Usual, &workloads::Workload::kind)));
  EXPECT_THAT(experiment.head_to_head->workloads, testing::Not(testing::Contains("atm")));
}

TEST(Experiments, MayTakeTheBlocksOnACoreFromAnother) {
  const std::string text = "title = 'x'\nblocks_per_core = 'tbc'\n[runs]\na = { mechanism = 'pdom' }\n";
  EXPECT_EQ(read_experiment(text, "x", "x.toml").occupancy, experiment_of("tbc").occupancy);
  for (const char* other : {"headline", "no such"})  // has none of its own
    try {
      read_experiment("title = 'x'\nblocks_per_core = '" + std::string(other) + "'\n", "x", "x.toml");
      FAIL() << other;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), StartsWith("x.toml:2"));
    }
}

TEST(Experiments, SizesAreQuickOrFullUnlessTheRunSaysOtherwise) {
  const Experiment experiment = read_experiment(
      "title = 'x'\nquick = 'tiny'\n[runs]\na = { mechanism = 'pdom' }\nb = { mechanism = 'pdom', size = 'small' }\n",
      "x", "x.toml");
  EXPECT_EQ(experiment.spec("a", "bfs", true).size, "tiny");
  EXPECT_EQ(experiment.spec("a", "bfs", false).size, "paper");
  EXPECT_EQ(experiment.spec("b", "bfs", false).size, "small");
}

TEST(Experiments, BlocksPerCoreAreInTheRunsOfTheirWorkloadUnlessARunSaysOtherwise) {
  const Experiment experiment = read_experiment(
      "title = 'x'\n[blocks_per_core]\nmum = 4\nbfs = { expand_frontier = 2, advance_frontier = 1 }\n"
      "[runs]\na = { mechanism = 'pdom' }\nb = { mechanism = 'tbc', set = ['lcp=true', 'blocks_per_core=0'] }\n",
      "x", "x.toml");
  const auto blocks = [&](const char* run, const char* workload, const char* kernel) {
    return config_of(experiment.spec(run, workload, true)).per_kernel("blocks_per_core", kernel);
  };
  EXPECT_EQ(blocks("a", "mum", "match_reads"), 4);
  EXPECT_EQ(blocks("a", "bfs", "expand_frontier"), 2);
  EXPECT_EQ(blocks("a", "bfs", "advance_frontier"), 1);
  EXPECT_EQ(blocks("a", "lps", "laplace"), 0);
  EXPECT_EQ(blocks("b", "mum", "match_reads"), 0);
  EXPECT_NE(identity_of(experiment.spec("a", "mum", true)).key, identity_of(experiment.spec("a", "lps", true)).key);
}

// Table 1 of the paper, by workload; dg and mergesort are explained in the file.
TEST(Experiments, TheThreadBlockCompactionPapersOccupancyIsAsPublished) {
  const Experiment& experiment = experiment_of("tbc");
  const auto blocks = [&](const std::string& workload, const char* kernel) {
    return config_of(experiment.spec("pdom", workload, false)).per_kernel("blocks_per_core", kernel);
  };
  for (const auto& [workload, published] : std::vector<std::pair<std::string, int64_t>>{{"bfs", 2},
                                                                                        {"hotspot", 2},
                                                                                        {"lps", 6},
                                                                                        {"mum", 4},
                                                                                        {"mumpp", 3},
                                                                                        {"namd", 7},
                                                                                        {"nvrt", 3},
                                                                                        {"aes", 2},
                                                                                        {"backprop", 4},
                                                                                        {"cp", 8},
                                                                                        {"heartwall", 1},
                                                                                        {"libor", 8},
                                                                                        {"nn", 8},
                                                                                        {"ray", 3},
                                                                                        {"streamcluster", 2},
                                                                                        {"storegpu", 1},
                                                                                        {"wp", 4}})
    EXPECT_EQ(blocks(workload, "any"), published) << workload;
  EXPECT_EQ(blocks("facedetect", "scan_windows"), 5);
  EXPECT_EQ(blocks("facedetect", "confirm_windows"), 4);
  EXPECT_EQ(blocks("leukocyte", "flow"), 1);
  EXPECT_EQ(blocks("dg", "update"), 4);
  EXPECT_EQ(blocks("mergesort", "histogram"), 0) << "computed";
}

std::string refusal(std::string_view text) {
  try {
    read_experiment(text, "x", "x.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    return error.what();
  }
  return "read";
}

std::string with_part(std::string_view part) {
  return fmt::format(
      "title = 'x'\n[runs]\na = {{ mechanism = 'pdom' }}\n[[claim]]\nid = 'x.1'\ntext = 't'\npaper = 'p'\n"
      "part = [{{ {} }}]\n",
      part);
}

TEST(Experiments, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_THAT(refusal("title = 'x"), StartsWith("x.toml:1:"));
  EXPECT_THAT(refusal("titel = 'x'\n"), HasSubstr("'title' is missing"));
  EXPECT_THAT(refusal("title = 'x'\nsize = 'tiny'\n"), StartsWith("x.toml:2: unknown key 'size'"));
  EXPECT_THAT(refusal("title = 'x'\n[sets]\na = ['bsf']\n"), StartsWith("x.toml:3: "));
  EXPECT_THAT(refusal("title = 'x'\n[sets]\na = ['@b']\nb = ['bfs']\n"), HasSubstr("there is no set '@b'"));
  EXPECT_THAT(refusal("title = 'x'\n[runs]\na = { mechanism = 'pdomm' }\n"), StartsWith("x.toml:3: "));
  EXPECT_THAT(refusal("title = 'x'\n[blocks_per_core]\nbsf = 2\n"),
              StartsWith("x.toml:3: no workload is called 'bsf'"));
  EXPECT_THAT(refusal("title = 'x'\n[blocks_per_core]\nbfs = { expand = 2 }\n"),
              StartsWith("x.toml:3: --set blocks_per_core=expand:2: 'expand' is no kernel of bfs"));
  EXPECT_THAT(refusal("title = 'x'\n[blocks_per_core]\nbfs = 'two'\n"),
              StartsWith("x.toml:3: blocks_per_core is a number, or numbers by kernel"));
  EXPECT_THAT(refusal("title = 'x'\n[blocks_per_core]\nbfs = -1\n"), HasSubstr("a number from 0 to 1024"));
  EXPECT_THAT(refusal("title = 'x'\n[runs]\na = { mechanism = 'pdom', set = ['lpc=true'] }\n"), HasSubstr("lcp"));
  EXPECT_THAT(refusal("title = 'x'\n[runs]\na = { mechanism = 'capri', set = ['lcp=true'] }\n"),
              StartsWith("x.toml:3: --set lcp=true: nothing in this run reads lcp"));
  EXPECT_THAT(refusal("title = 'x'\nset = ['fetch_group=2']\n[runs]\na = { mechanism = 'pdom' }\n"),
              HasSubstr("nothing in this run reads fetch_group"));
  EXPECT_EQ(
      refusal("title = 'x'\nset = ['lcp=true']\n[runs]\na = { mechanism = 'capri' }\nb = { mechanism = 'tbc' }\n"),
      "read");
  EXPECT_EQ(refusal(with_part("name = 'n', value = 'ipc', of = 'a', on = 'bfs', paper = 1")), "read");
  EXPECT_THAT(refusal(with_part("name = 'n', value = 'ipc', of = 'b', on = 'bfs', paper = 1")),
              StartsWith("x.toml:8: there is no run 'b'"));
  EXPECT_THAT(refusal(with_part("name = 'n', value = 'ipc', of = 'a', on = 'bfs'")), HasSubstr("'paper' or 'holds'"));
  EXPECT_THAT(refusal(with_part("name = 'n', value = 'ipc', of = 'a', on = 'bfs', paper = 1, fold = 'mean'")),
              HasSubstr("'mean' is not one of harmonic"));
  EXPECT_THAT(refusal(with_part("name = 'n', value = 'ipc', of = 'a', on = 'bfs', holds = '1'")),
              HasSubstr("'1' is no condition"));
  EXPECT_THAT(refusal(with_part("name = 'n', value = 'ipc', of = 'a', on = 'bfs', paper = 1, fold = 'share'")),
              HasSubstr("needs 'is'"));
  EXPECT_THAT(
      refusal(with_part("name = 'n', value = 'ipc', of = 'a', on = 'bfs', paper = 1") + "orders = [['n', 'm']]\n"),
      HasSubstr("x.1 has no part 'm'"));
}

}  // namespace
}  // namespace heddle
