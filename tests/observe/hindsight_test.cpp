#include "observe/hindsight.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "support/amount.h"
#include "support/workload_run.h"

namespace heddle {
namespace {

BranchArrival warp(std::vector<std::pair<Pc, uint32_t>> parts, bool waited = false) {
  BranchArrival arrival;
  arrival.waited = waited;
  for (auto [path, lanes] : parts)
    if (lanes != 0) arrival.parts.push_back({path, LaneMask(lanes)});
  return arrival;
}

// ---- by exhaustive search

// Warps that run behind the branch if those in `waits` wait.
unsigned warps_behind(const std::vector<BranchArrival>& arrivals, uint32_t waits) {
  std::map<Pc, std::array<unsigned, 32>> threads;
  std::map<Pc, unsigned> passed;
  for (size_t i = 0; i < arrivals.size(); ++i)
    for (const BranchArrival::Part& part : arrivals[i].parts) {
      if ((waits >> i & 1) == 0) ++passed[part.path];
      if (waits >> i & 1) for_each_lane(part.lanes, [&](unsigned lane) { ++threads[part.path][lane]; });
    }
  unsigned sum = 0;
  for (const auto& [path, lanes] : threads) sum += *std::max_element(lanes.begin(), lanes.end());
  for (const auto& [path, count] : passed) sum += count;
  return sum;
}

struct Best {
  unsigned waiting = UINT32_MAX, agreeing = 0;
};

Best best_by_trying_all(const std::vector<BranchArrival>& arrivals) {
  const uint32_t all = (1U << arrivals.size()) - 1;
  const unsigned fewest = warps_behind(arrivals, all);
  Best best;
  for (uint32_t waits = 0; waits <= all; ++waits) {
    EXPECT_GE(warps_behind(arrivals, waits), fewest);
    if (warps_behind(arrivals, waits) != fewest) continue;
    const auto waiting = static_cast<unsigned>(std::popcount(waits));
    unsigned agreeing = 0;
    for (size_t i = 0; i < arrivals.size(); ++i) agreeing += arrivals[i].waited == ((waits >> i & 1) != 0) ? 1 : 0;
    if (waiting < best.waiting || (waiting == best.waiting && agreeing > best.agreeing)) best = {waiting, agreeing};
  }
  return best;
}

TEST(Hindsight, FindsTheSmallestSetThatTryingAllSetsFinds) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < test::amount(20'000, 4000, 300); ++round) {
    std::vector<BranchArrival> arrivals;
    const unsigned lanes = 1 + random() % 8, all_lanes = (1U << lanes) - 1;
    const unsigned warps = 1 + random() % 9;
    for (unsigned i = 0; i < warps; ++i) {
      const uint32_t active = random() % 3 == 0 ? all_lanes : random() & all_lanes;
      const uint32_t taken = random() % 4 == 0 ? active : random() & active;
      arrivals.push_back(warp({{1, taken}, {2, active & ~taken}}, random() % 2 == 0));
    }
    const Best expected = best_by_trying_all(arrivals);
    const BestWaiting got = best_waiting(arrivals);
    uint32_t waits = 0;
    unsigned agreeing = 0;
    for (size_t i = 0; i < arrivals.size(); ++i) {
      waits |= got.waits[i] ? 1U << i : 0;
      agreeing += got.waits[i] == arrivals[i].waited ? 1 : 0;
    }
    ASSERT_TRUE(got.proven);
    ASSERT_EQ(warps_behind(arrivals, waits), warps_behind(arrivals, (1U << warps) - 1));
    ASSERT_EQ(static_cast<unsigned>(std::popcount(waits)), expected.waiting);
    ASSERT_EQ(agreeing, expected.agreeing);
  }
}

// ---- by hand

TEST(Hindsight, NobodyNeedsToWaitForFullWarps) {
  const BestWaiting best = best_waiting(std::vector{warp({{1, 0xf}}), warp({{1, 0xf}}), warp({{2, 0xf}})});
  EXPECT_EQ(best.waits, (std::vector<bool>{false, false, false}));
}

TEST(Hindsight, NobodyNeedsToWaitWhereTheSameLanesGoTheSameWay) {
  const BestWaiting best = best_waiting(std::vector{warp({{1, 0x3}, {2, 0xc}}), warp({{1, 0x3}, {2, 0xc}})});
  EXPECT_EQ(best.waits, (std::vector<bool>{false, false}));
}

TEST(Hindsight, WarpsThatFillEachOthersLanesHaveToWait) {
  const BestWaiting best =
      best_waiting(std::vector{warp({{1, 0x3}, {2, 0xc}}), warp({{1, 0xc}, {2, 0x3}}), warp({{1, 0xf}})});
  EXPECT_EQ(best.waits, (std::vector<bool>{true, true, false}));
}

TEST(Hindsight, ScoresWhatWasDone) {
  DecisionScores scores;
  scores.branch(std::vector{warp({{1, 0x3}}, true), warp({{1, 0xc}}, false), warp({{1, 0xf}}, true), warp({{1, 0xf}})});
  EXPECT_EQ(scores.stats(), (DecisionStats{1, 1, 1, 1, 0}));
  EXPECT_DOUBLE_EQ(scores.stats().accuracy(), 0.5);
}

TEST(Hindsight, CountsBranchesAtWhichSomeWarpPartedApart) {
  DecisionScores scores;
  scores.branch(std::vector{warp({{1, 0xf}}), warp({{2, 0xf}})});  // both right, and nobody parts
  std::vector arrivals{warp({{1, 0x3}, {2, 0xc}}, true), warp({{1, 0x3}, {2, 0xc}}, true), warp({{1, 0xf}})};
  arrivals[0].diverged = arrivals[1].diverged = true;
  scores.branch(arrivals);
  EXPECT_EQ(scores.stats().all(), 5U);
  EXPECT_EQ(scores.stats().where_parted, 3U);
  EXPECT_DOUBLE_EQ(scores.stats().accuracy(), 3.0 / 5);
  EXPECT_DOUBLE_EQ(scores.stats().accuracy_where_parted(), 1.0 / 3);
}

// ---- in mechanisms

class ScoredWorkload : public testing::TestWithParam<workloads::Workload> {};

// Every execution of a branch is a decision; pdom never waits, tbc waits at all that may diverge, everywhere if told
// so.
TEST_P(ScoredWorkload, EveryBranchOfAWarpIsOneDecision) {
  const auto decisions = [&](const char* mechanism, const char* set) {
    const KernelStats stats = scripted::run_workload(GetParam(), mechanism, {.set = {set}, .scores = true}).total;
    EXPECT_EQ(stats.decisions->all(), stats.branches) << mechanism;
    EXPECT_EQ(stats.decisions->open, 0U) << mechanism;
    return *stats.decisions;
  };
  const DecisionStats pdom = decisions("pdom", "warp_size=32");
  EXPECT_EQ(pdom.stall_stall + pdom.stall_bypass, 0U);
  const DecisionStats waits = decisions("tbc", "wait_at=all");
  EXPECT_EQ(waits.bypass_stall + waits.bypass_bypass, 0U);
  const DecisionStats plus = decisions("tbc+", "wait_at=all");
  EXPECT_EQ(plus.bypass_stall, 0U);
  if (GetParam().name == "nvrt") return;  // who gets which work depends on the order of warps
  EXPECT_EQ(plus.stall_stall, waits.stall_stall);
  EXPECT_EQ(plus.all(), waits.all());
}

// With static warps the same warps come to the same branches as under pdom.
TEST_P(ScoredWorkload, PdomIsScoredOnTheBranchesOfTheBlock) {
  const auto best = [&](const char* mechanism, const char* set) {
    const DecisionStats stats =
        *scripted::run_workload(GetParam(), mechanism, {.set = {set}, .scores = true}).total.decisions;
    return std::pair(stats.stall_stall + stats.bypass_stall, stats.all());
  };
  if (GetParam().name == "nvrt" || GetParam().name == "facedetect") return;  // who gets which work depends on the order
  EXPECT_EQ(best("pdom", "warp_size=32"), best("tbc", "compaction=false"));
}

// To be scored changes nothing.
TEST_P(ScoredWorkload, ScoresChangeNothingElse) {
  for (const char* mechanism : {"pdom", "tbc", "capri"}) {
    KernelStats with = scripted::run_workload(GetParam(), mechanism, {.scores = true}).total;
    EXPECT_TRUE(with.decisions.has_value());
    with.decisions.reset();
    EXPECT_TRUE(with == scripted::run_workload(GetParam(), mechanism, {}).total) << mechanism;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ScoredWorkload, testing::ValuesIn(scripted::selected_workloads()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle
