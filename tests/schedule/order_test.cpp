// The order in which each scheduler issues warps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "schedule/bench.h"

namespace heddle {
namespace {

using testing::ElementsAre;

// ---- all

class EveryScheduler : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryScheduler, ChoosesAReadyWarpAndDoesNotChangeByIt) {
  std::mt19937 random(3);
  Bench bench({5, 9, 1, 70});
  const auto scheduler = bench.make(GetParam());
  for (unsigned i = 0; i < 5000; ++i, bench.host.now += random() % 3) {
    WarpSet ready;
    for (unsigned left = 1 + random() % 6; left > 0; --left) ready.insert(static_cast<WarpId>(random() % 85));
    const WarpId chosen = scheduler->choose(ready);
    ASSERT_TRUE(ready.contains(chosen));
    WarpSet fewer = ready;
    fewer.erase(chosen);
    if (!fewer.empty()) {
      ASSERT_TRUE(fewer.contains(scheduler->choose(fewer)));
    }
    ASSERT_EQ(scheduler->choose(ready), chosen);
    if (random() % 2 == 0) scheduler->issued(chosen);
  }
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> names;
  for (const SchedulerRow& row : schedulers()) names.push_back(row.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, EveryScheduler, testing::ValuesIn(names()), [](const auto& info) {
  std::string name(info.param);
  std::erase(name, '-');
  return name;
});

// ---- rr, gto

TEST(RoundRobin, GoesOnAfterTheLastOneIssued) {
  Bench bench({6});
  for (const char* name : {"rr", "lrr"}) {
    const auto scheduler = bench.make(name);
    EXPECT_THAT(order(bench, *scheduler, set_of({1, 3, 4}), 5), ElementsAre(1, 3, 4, 1, 3));
    EXPECT_EQ(scheduler->choose(set_of({0, 3, 5})), 5U);  // 3 was the last
    EXPECT_EQ(scheduler->choose(set_of({0, 3})), 0U);
    EXPECT_EQ(scheduler->choose(set_of({3})), 3U);
  }
}

TEST(GreedyThenOldest, StaysWithAWarpThenTakesTheOldest) {
  Bench bench({4});
  bench.host.close(WarpId(0));
  bench.host.open(BlockId(0), 0, Group::rows(0, LaneMask::of(0)));  // warp 0 is now the youngest
  const auto scheduler = bench.make("gto");
  EXPECT_THAT(order(bench, *scheduler, first(4), 3), ElementsAre(1, 1, 1));
  EXPECT_THAT(order(bench, *scheduler, set_of({0, 2, 3}), 2), ElementsAre(2, 2));
  EXPECT_THAT(order(bench, *scheduler, first(4), 1), ElementsAre(2));
  EXPECT_THAT(order(bench, *scheduler, set_of({0}), 1), ElementsAre(0));
}

TEST(GreedyThenOldest, IsNotGreedyForAnotherWarpWithTheSameId) {
  Bench bench({2});
  const auto scheduler = bench.make("gto");
  scheduler->issued(WarpId(0));
  bench.host.close(WarpId(0));
  ASSERT_EQ(bench.host.open(BlockId(0), 0, Group::rows(0, LaneMask::of(0))), 0U);
  EXPECT_EQ(scheduler->choose(first(2)), 1U);
}

TEST(GreedyThenYoungest, StaysWithAWarpThenTakesTheYoungest) {
  Bench bench({4});
  bench.host.close(WarpId(0));
  bench.host.open(BlockId(0), 0, Group::rows(0, LaneMask::of(0)));  // warp 0 is now the youngest
  const auto scheduler = bench.make("gty");
  EXPECT_THAT(order(bench, *scheduler, set_of({1, 2}), 2), ElementsAre(2, 2));
  EXPECT_THAT(order(bench, *scheduler, first(4), 1), ElementsAre(2));
  EXPECT_THAT(order(bench, *scheduler, set_of({0, 1, 3}), 2), ElementsAre(0, 0));
  EXPECT_THAT(order(bench, *scheduler, set_of({1, 3}), 1), ElementsAre(3));
}

TEST(GreedyThenNext, StaysWithAWarpThenTakesTheNextAfterIt) {
  Bench bench({4});
  const auto scheduler = bench.make("gtr");
  EXPECT_THAT(order(bench, *scheduler, first(4), 2), ElementsAre(0, 0));
  EXPECT_THAT(order(bench, *scheduler, set_of({2, 3}), 2), ElementsAre(2, 2));
  EXPECT_THAT(order(bench, *scheduler, set_of({0, 1, 3}), 1), ElementsAre(3));
  EXPECT_THAT(order(bench, *scheduler, set_of({1, 2}), 1), ElementsAre(1));
}

// ---- two-level

TEST(TwoLevel, StaysInAGroupAsLongAsOneOfItsWarpsIsReady) {
  Bench bench({6});
  const auto scheduler = bench.make("two-level", {"fetch_group=2"});
  EXPECT_THAT(order(bench, *scheduler, first(6), 3), ElementsAre(0, 1, 0));
  EXPECT_THAT(order(bench, *scheduler, set_of({0, 2, 3}), 2), ElementsAre(0, 0));
  EXPECT_THAT(order(bench, *scheduler, set_of({2, 3, 4}), 3), ElementsAre(2, 3, 2));
}

TEST(TwoLevel, SkipsGroupsWithoutAReadyWarpAndWrapsAround) {
  Bench bench({8});
  const auto scheduler = bench.make("two-level", {"fetch_group=2"});
  EXPECT_THAT(order(bench, *scheduler, set_of({5}), 1), ElementsAre(5));
  EXPECT_THAT(order(bench, *scheduler, set_of({0, 2}), 1), ElementsAre(0));
  EXPECT_THAT(order(bench, *scheduler, set_of({3, 7}), 1), ElementsAre(3));
}

TEST(TwoLevel, GroupsKeepTheirPointers) {
  Bench bench({8});
  const auto scheduler = bench.make("two-level", {"fetch_group=4"});
  EXPECT_THAT(order(bench, *scheduler, first(8), 2), ElementsAre(0, 1));
  EXPECT_THAT(order(bench, *scheduler, set_of({4, 5, 6}), 2), ElementsAre(4, 5));
  EXPECT_THAT(order(bench, *scheduler, set_of({0, 1, 2, 3}), 1), ElementsAre(2));  // where the group had stopped
  EXPECT_THAT(order(bench, *scheduler, set_of({4, 5, 6, 7}), 1), ElementsAre(6));
}

TEST(TwoLevel, AChoiceThatIsNotIssuedMovesNothing) {
  Bench bench({8});
  const auto scheduler = bench.make("two-level", {"fetch_group=4"});
  EXPECT_EQ(scheduler->choose(set_of({6})), 6U);
  EXPECT_EQ(scheduler->choose(first(8)), 0U);
}

TEST(TwoLevel, WithOneGroupIsRoundRobin) {
  std::mt19937 random(4);
  Bench bench({100});
  const auto one = bench.make("two-level", {"fetch_group=100"}), rr = bench.make("rr");
  for (unsigned i = 0; i < 10000; ++i) {
    WarpSet ready;
    for (unsigned left = 1 + random() % 10; left > 0; --left) ready.insert(static_cast<WarpId>(random() % 100));
    const WarpId chosen = rr->choose(ready);
    ASSERT_EQ(one->choose(ready), chosen);
    rr->issued(chosen);
    one->issued(chosen);
  }
}

// ---- blocks

TEST(OldestBlock, GoesByTheOrderInWhichBlocksStarted) {
  Bench bench({2, 2, 2});  // warps 0,1 · 2,3 · 4,5
  bench.host.close(WarpId(1));
  bench.host.close(WarpId(0));
  bench.start(BlockId(0), 2);  // block 0 is now the youngest
  const auto scheduler = bench.make("age");
  EXPECT_THAT(order(bench, *scheduler, first(6), 3), ElementsAre(2, 3, 2));
  EXPECT_THAT(order(bench, *scheduler, set_of({0, 1, 4, 5}), 2), ElementsAre(4, 5));
  EXPECT_THAT(order(bench, *scheduler, set_of({0, 1}), 2), ElementsAre(0, 1));
  EXPECT_THAT(order(bench, *scheduler, first(6), 1), ElementsAre(3));  // round robin goes on where the block stopped
}

TEST(RotatingBlock, GivesEveryBlockACycleOfPriority) {
  Bench bench({2, 2, 2});
  const auto scheduler = bench.make("rrb");
  EXPECT_THAT(order(bench, *scheduler, first(6), 7), ElementsAre(0, 2, 4, 1, 3, 5, 0));
  bench.host.now = CoreCycle(1);  // block 1 has priority, then 2, then 0
  EXPECT_EQ(scheduler->choose(set_of({0, 1, 4})), 4U);
  EXPECT_EQ(scheduler->choose(set_of({0, 1})), 1U);
  bench.host.now = CoreCycle(2);
  EXPECT_EQ(scheduler->choose(set_of({1, 2})), 1U);  // 2 and then 0, not 1
}

TEST(RotatingBlock, RotatesOverResidentBlocksOnly) {
  Bench bench({2, 2, 2});
  bench.host.close(WarpId(2));
  bench.host.close(WarpId(3));
  const auto scheduler = bench.make("rrb");
  EXPECT_THAT(order(bench, *scheduler, set_of({0, 1, 4, 5}), 4), ElementsAre(0, 4, 1, 5));
}

TEST(StickyBlock, KeepsPriorityUntilNoWarpIsReady) {
  Bench bench({2, 2, 2});
  const auto scheduler = bench.make("srr");
  EXPECT_THAT(order(bench, *scheduler, first(6), 3), ElementsAre(0, 1, 0));
  EXPECT_THAT(order(bench, *scheduler, set_of({4, 5}), 1), ElementsAre(4));
  EXPECT_THAT(order(bench, *scheduler, first(6), 2), ElementsAre(5, 4));  // block 0 is older, but not ahead
  EXPECT_THAT(order(bench, *scheduler, set_of({0, 1, 2, 3}), 2), ElementsAre(1, 0));
  EXPECT_THAT(order(bench, *scheduler, set_of({2, 3, 4, 5}), 2), ElementsAre(2, 3));
}

}  // namespace
}  // namespace heddle
