#include "divergence/mechanisms/capri.h"

#include <gtest/gtest.h>

#include <set>

#include "observe/waiting_scores.h"
#include "support/amount.h"
#include "support/formed.h"
#include "support/random_program.h"
#include "support/scripted.h"
#include "support/workload_run.h"

namespace heddle::scripted::capri_test {
namespace {

Choice by_thread(std::map<std::string, std::set<unsigned>> taken) {
  return [taken](const Visit& visit) {
    const auto at = taken.find(std::string(visit.at));
    return at != taken.end() && at->second.contains(visit.thread) ? 1U : 0U;
  };
}

const Capri::Path* path_to(Capri& capri, Pc pc) {
  for (const Capri::Path& path : capri.paths(BlockId(0)))
    if (path.pc == pc) return &path;
  return nullptr;
}

// WCnt of a path that is not the top yet.
size_t warp_count(Capri& capri, Pc pc) {
  const Capri::Path* path = path_to(capri, pc);
  return path ? path->extra.ahead.size() + path->extra.parked.size() : 0;
}

unsigned history(Capri& capri, Pc branch) {
  for (const AdequacyTable::Row& row : capri.table().rows())
    if (row.branch == branch) return row.history;
  return 99;
}

const Shape kThreeWarps{.threads = 12, .set = {"warp_size=4"}};

// ---- figures 6 to 8

const char* const kDiamond = "A: if B\n C: br G\n B: op\n G: exit";
const Choice kFigure7 = by_thread({{"A", {0, 1, 2, 3, 4, 7, 8, 9}}});

TEST(Capri, PlaysFigure7) {
  const Listing listing(kDiamond);
  ScriptedMachine machine(listing, "capri", kThreeWarps, kFigure7);
  auto& capri = machine.as<Capri>();
  const Pc branch = listing.at("A"), b = listing.at("B"), c = listing.at("C");

  machine.issue(WarpId(0));  // (a): does not diverge, passes on
  EXPECT_EQ(capri.warp_count(BlockId(0)), 2U);
  EXPECT_EQ(warp_count(capri, b), 1U);
  EXPECT_EQ(threads_of(path_to(capri, b)->extra.threads), "0,1,2,3");  // UMask 011
  EXPECT_EQ(machine.host().warp(WarpId(0)).state, WarpState::Ready);
  EXPECT_TRUE(capri.table().rows().empty());

  machine.issue(WarpId(2));  // (b): parts, misses, waits
  EXPECT_EQ(capri.warp_count(BlockId(0)), 1U);
  EXPECT_EQ(history(capri, branch), 1U);
  EXPECT_EQ(machine.host().warp(WarpId(2)).state, WarpState::Held);
  EXPECT_EQ(warp_count(capri, b), 1U);
  EXPECT_EQ(threads_of(path_to(capri, b)->who), "0,1,2,3,8,9");
  EXPECT_EQ(threads_of(path_to(capri, c)->who), "10,11");
  EXPECT_EQ(threads_of(path_to(capri, b)->extra.threads), "0,1,2,3");

  machine.issue(WarpId(1));  // (c), (d): hits, waits, and all have come
  EXPECT_EQ(capri.warp_count(BlockId(0)), 3U);
  EXPECT_EQ(history(capri, branch), 0U) << "3, 2, 1, 2 threads in the lanes, three warps came: not adequate";
  EXPECT_EQ(threads_of(capri.stack(BlockId(0)).top().mask), "0,1,2,3,4,7,8,9");

  machine.run();
  std::set<std::string> slots;
  for (const Slot& slot : machine.slots()) slots.insert(slot.text());
  for (const char* warp : {"B(0,1,2,3)", "B(4,9,-,7)", "B(8,-,-,-)", "C(-,5,6,11)", "C(-,-,10,-)"})
    EXPECT_TRUE(slots.contains(warp)) << warp << " is not in " << machine.trace();
  EXPECT_EQ(executions_of(machine.slots()), (std::map<std::string, unsigned>{{"A", 3}, {"B", 3}, {"C", 2}, {"G", 3}}));
  EXPECT_EQ(history(capri, branch), 0U) << "C: 2 of 2";
}

// ---- the nested example

const char* const kNested = R"(
  A: if B
  C: br G
  B: op
  b: if D
  E: br F
  D: op
  F: op
  G: exit)";
const Choice kNestedPaths = by_thread({{"A", {0, 1, 6, 7, 8, 9, 10, 11}}, {"b", {0, 8, 9, 10, 11}}});

TEST(Capri, PlaysTheNestedExample) {
  const Listing listing(kNested);
  ScriptedMachine machine(listing, "capri", kThreeWarps, kNestedPaths);
  auto& capri = machine.as<Capri>();
  const auto scores = std::make_shared<WaitingScores>();
  machine.watch(scores);
  const Pc outer = listing.at("A"), inner = listing.at("b");
  const Pc b = listing.at("B"), c = listing.at("C"), d = listing.at("D"), e = listing.at("E");
  capri.table().look_up(outer);
  capri.table().update(outer, false);

  const auto counts = [&](Pc one, Pc other) {
    return std::vector<size_t>{capri.warp_count(BlockId(0)), warp_count(capri, one), warp_count(capri, other)};
  };
  machine.issue(WarpId(2));
  EXPECT_EQ(counts(b, c), (std::vector<size_t>{2, 1, 0}));
  machine.issue(WarpId(2));  // one block ahead, and no further
  EXPECT_EQ(machine.host().warp(WarpId(2)).pc, inner);
  EXPECT_EQ(machine.host().warp(WarpId(2)).state, WarpState::Held);
  machine.issue(WarpId(0));
  EXPECT_EQ(counts(b, c), (std::vector<size_t>{1, 2, 1}));
  EXPECT_EQ(machine.host().warp(WarpId(2)).state, WarpState::Held);
  machine.issue(WarpId(1));
  EXPECT_EQ(capri.warp_count(BlockId(0)), 3U) << "B runs as it came";
  EXPECT_EQ(history(capri, outer), 1U) << "2 < 3";
  EXPECT_EQ(scores->stats(), (DecisionStats{0, 0, 2, 1, 0, 3, 1})) << "warps part at both branches";
  EXPECT_EQ(machine.host().warp(WarpId(2)).state, WarpState::Ready);

  machine.issue(WarpId(2));
  EXPECT_EQ(counts(d, e), (std::vector<size_t>{2, 1, 0}));
  machine.issue(WarpId(0));
  machine.issue(WarpId(0));
  EXPECT_EQ(counts(d, e), (std::vector<size_t>{1, 1, 0}));
  EXPECT_EQ(history(capri, inner), 1U);
  EXPECT_EQ(machine.host().warp(WarpId(0)).state, WarpState::Held);
  machine.issue(WarpId(1));
  machine.issue(WarpId(1));
  EXPECT_EQ(capri.warp_count(BlockId(0)), 2U) << "D: 8,9,10,11 and 0";
  EXPECT_EQ(history(capri, inner), 0U) << "2 of 2";
  EXPECT_EQ(scores->stats(), (DecisionStats{1, 0, 3, 2, 0, 6, 3}));

  machine.run();
  EXPECT_EQ(history(capri, inner), 1U) << "E: 1 < 2";
  EXPECT_EQ(history(capri, outer), 1U) << "C: 1 < 2";
  EXPECT_EQ(executions_of(machine.slots()),
            (std::map<std::string, unsigned>{
                {"A", 3}, {"B", 3}, {"b", 3}, {"D", 2}, {"E", 2}, {"F", 2}, {"C", 2}, {"G", 3}}));
  std::multiset<std::string> slots;
  for (const Slot& slot : machine.slots()) slots.insert(slot.text());
  for (const char* warp : {"D(0,-,-,-)", "D(8,9,10,11)", "E(-,1,-,-)", "E(-,-,6,7)", "F(0,1,6,7)", "F(8,9,10,11)"})
    EXPECT_EQ(slots.count(warp), 1U) << warp << " is not in " << machine.trace();
}

TEST(Capri, TheNestedExampleTakes18WarpExecutionsUnderPdomAnd14UnderTbc) {
  const Listing listing(kNested);
  for (const auto& [mechanism, expected] : {std::pair("pdom", 18U), std::pair("tbc", 14U)}) {
    ScriptedMachine machine(listing, mechanism, kThreeWarps, kNestedPaths);
    machine.run();
    std::map<std::string, unsigned> executions = executions_of(machine.slots());
    executions.erase("b");  // B and b are one block
    unsigned sum = 0;
    for (const auto& [name, count] : executions) sum += count;
    EXPECT_EQ(sum, expected) << mechanism;
  }
}

// ---- rules

TEST(Capri, LetsAWarpThatFallsThroughPassOnToo) {
  const Listing listing("A: if C\n B: op\n b: br D\n C: op\n D: exit");
  ScriptedMachine machine(listing, "capri", {.threads = 8, .set = {"warp_size=4"}}, by_thread({{"A", {4, 5, 6, 7}}}));
  machine.issue(WarpId(0));
  EXPECT_EQ(machine.warps(), "B:4 A:4");
  machine.issue(WarpId(0));
  EXPECT_EQ(machine.warps(), "b:4 A:4");
  EXPECT_EQ(machine.host().warp(WarpId(0)).state, WarpState::Held);
  machine.issue(WarpId(1));  // C is the top now, B's warp waits for its turn
  EXPECT_EQ(machine.host().warp(WarpId(0)).state, WarpState::Held);
  machine.issue(WarpId(1));
  EXPECT_EQ(machine.host().warp(WarpId(0)).state, WarpState::Ready);
  machine.run();
  EXPECT_EQ(machine.slots().size(), 2U + 1 + 1 + 1 + 2);
}

TEST(Capri, AllWarpsThatPartFollowTheFirst) {
  const Listing listing(kDiamond);
  ScriptedMachine machine(listing, "capri", kThreeWarps, by_thread({{"A", {0, 4, 8}}}));
  auto& capri = machine.as<Capri>();
  machine.issue(WarpId(0));
  EXPECT_EQ(machine.host().warp(WarpId(0)).state, WarpState::Held);
  capri.table().update(listing.at("A"), false);  // by another block
  machine.issue(WarpId(1));
  EXPECT_EQ(machine.host().warp(WarpId(1)).state, WarpState::Held);
}

TEST(Capri, AWarpThatPassedOnWaitsAtItsRpcForTheOthers) {
  const Listing listing(kDiamond);
  ScriptedMachine machine(listing, "capri", kThreeWarps, by_thread({{"A", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}}));
  machine.issue(WarpId(0));
  machine.issue(WarpId(0));
  EXPECT_EQ(machine.warps(), "G:4 A:4 A:4");
  EXPECT_EQ(machine.host().warp(WarpId(0)).state, WarpState::Held);
  machine.issue(WarpId(1));
  machine.issue(WarpId(1));
  machine.issue(WarpId(2));
  EXPECT_EQ(machine.as<Capri>().warp_count(BlockId(0)), 1U) << "two of B's warps are through";
  machine.issue(WarpId(2));
  EXPECT_EQ(machine.warps(), "G:4 G:4 G:4");
  machine.run();
  EXPECT_EQ(machine.slots().size(), 9U);
}

TEST(Capri, UpdatesAKnownBranchAlsoWhereNobodyParts) {
  const Listing listing(kDiamond);
  ScriptedMachine machine(listing, "capri", kThreeWarps, by_thread({{"A", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}}));
  auto& capri = machine.as<Capri>();
  capri.table().look_up(listing.at("A"));
  machine.run();
  EXPECT_EQ(history(capri, listing.at("A")), 0U);
}

TEST(Capri, APathThatStartsAtTheRpcTeachesNothing) {
  // B{0,4,8}: three warps came, one lane has all three: not adequate. What goes to G at once could be compacted.
  const Listing listing("A: if G\n B: op\n G: exit");
  ScriptedMachine machine(listing, "capri", kThreeWarps, by_thread({{"A", {1, 6, 11, 2, 3, 5, 7, 9, 10}}}));
  machine.run();
  EXPECT_EQ(history(machine.as<Capri>(), listing.at("A")), 0U);
}

TEST(Capri, ALookUpTakesTimeWhereItIsToldSo) {
  const Listing listing(kDiamond);
  ScriptedMachine machine(listing, "capri", {.threads = 8, .set = {"warp_size=4", "capt_cycles=3", "history=never"}},
                          by_thread({{"A", {0, 1}}}));
  machine.host().now = CoreCycle(50);
  machine.issue(WarpId(0));
  EXPECT_EQ(machine.host().warp(WarpId(0)).not_before, CoreCycle(53));
  machine.issue(WarpId(1));
  EXPECT_EQ(machine.host().warp(WarpId(1)).not_before, CoreCycle(0)) << "it did not diverge";
}

TEST(Capri, AWarpAloneTeachesUnlessItShallNot) {
  const Listing listing(kDiamond);
  for (const auto& [set, learnt] : {std::pair{"lone_warps_teach=true", 0U}, {"lone_warps_teach=false", 1U}}) {
    ScriptedMachine machine(listing, "capri", {.threads = 4, .set = {"warp_size=4", set}}, by_thread({{"A", {0, 1}}}));
    auto& capri = machine.as<Capri>();
    machine.run();
    EXPECT_EQ(history(capri, listing.at("A")), learnt) << set;
  }
}

// ---- properties

TEST(Capri, LetsEveryThreadWalkItsOwnPath) {
  for (unsigned seed = 0; seed < test::amount(1000, 300, 25); ++seed) {
    const Listing listing(random_listing(seed));
    for (const char* history : {"history=1b-latest", "history=never", "history=always"})
      for (const char* lanes : {"none", "balanced"}) {
        const Shape shape{.threads = 30, .blocks = 3, .resident = 2, .set = {"warp_size=4", history}, .lanes = lanes};
        ScriptedMachine capri(listing, "capri", shape, random_choice), pdom(listing, "pdom", shape, random_choice);
        capri.run();
        pdom.run();
        EXPECT_EQ(paths_of(capri.slots()), paths_of(pdom.slots())) << random_listing(seed);
      }
  }
}

class CapriWorkload : public testing::TestWithParam<workloads::Workload> {};

TEST_P(CapriWorkload, WaitsOnlyWhereItPartsAndTheHistorySaysSo) {
  const auto run = [&](const char* history, const char* entries) {
    return run_workload(GetParam(), "capri", {.set = {history, entries}, .scores = true}).total;
  };
  const KernelStats never = run("history=never", "capt_entries=32"), always = run("history=always", "capt_entries=2");
  const auto waits = [](const KernelStats& stats) {
    return stats.decisions->stall_stall + stats.decisions->stall_bypass;
  };
  EXPECT_EQ(waits(never), 0U);
  EXPECT_EQ(waits(always), always.divergent_branches);
  EXPECT_EQ(never.decisions->all(), never.branches);
  EXPECT_EQ(always.decisions->all(), always.branches);
}

INSTANTIATE_TEST_SUITE_P(All, CapriWorkload, testing::ValuesIn(selected_workloads()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle::scripted::capri_test
