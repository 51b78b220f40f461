// Schedulers take a split for its parent: its age, its group, its place in the round.
#include <gtest/gtest.h>

#include "schedule/bench.h"

namespace heddle {
namespace {

// Four warps, then a split of warp 1 (it is warp 4) and one of warp 0 (warp 5).
struct Split : Bench {
  Split() : Bench({4}) {
    host.open_split(WarpId(1), 0, Group::rows(0, LaneMask::of(8)));
    host.open_split(WarpId(0), 0, Group::rows(0, LaneMask::of(9)));
  }
};

TEST(SplitsAndSchedulers, round_robin_goes_by_parents) {
  Split bench;
  EXPECT_EQ(order(bench, *bench.make("rr"), first(6), 7), (std::vector<unsigned>{0, 5, 1, 4, 2, 3, 0}));
}

TEST(SplitsAndSchedulers, block_priority_too) {
  Split bench;
  EXPECT_EQ(order(bench, *bench.make("age"), first(6), 7), (std::vector<unsigned>{0, 5, 1, 4, 2, 3, 0}));
}

TEST(SplitsAndSchedulers, the_oldest_is_the_one_with_the_oldest_parent) {
  Split bench;
  const auto gto = bench.make("gto");
  EXPECT_EQ(gto->choose(set_of({1, 2, 5})), 5) << "as old as warp 0";
  gto->issued(WarpId(2));
  EXPECT_EQ(gto->choose(set_of({2, 4, 5})), 2) << "greedy";
  EXPECT_EQ(gto->choose(set_of({3, 4})), 4);
  EXPECT_EQ(gto->choose(set_of({0, 5})), 0) << "of one warp, the one that was opened first";
}

TEST(SplitsAndSchedulers, a_fetch_group_is_that_of_the_parent) {
  Split bench;
  const auto two_level = bench.make("two-level", {"fetch_group=2"});
  EXPECT_EQ(order(bench, *two_level, first(6), 5), (std::vector<unsigned>{0, 5, 1, 4, 0}));
  EXPECT_EQ(two_level->choose(set_of({2, 3})), 2) << "nobody of the first group is ready";
}

TEST(SplitsAndSchedulers, a_parents_number_is_taken_until_its_last_split_is_gone) {
  Split bench;
  bench.host.close(WarpId(1));
  EXPECT_EQ(bench.host.open(BlockId(0), 0, Group::rows(0, LaneMask::of(1))), 6) << "1 still stands for its split";
  bench.host.close(WarpId(4));
  EXPECT_EQ(bench.host.open(BlockId(0), 0, Group::rows(0, LaneMask::of(1))), 1);
  EXPECT_EQ(bench.host.open(BlockId(0), 0, Group::rows(0, LaneMask::of(1))), 4);
  EXPECT_EQ(bench.host.open_split(WarpId(5), 0, Group::rows(0, LaneMask::of(2))), 7);
  EXPECT_EQ(bench.host.warp(WarpId(7)).parent, 0) << "a split of a split is its parent's";
}

}  // namespace
}  // namespace heddle
