// Sets of warps, and the sets a host keeps.
#include "divergence/warp_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "schedule/bench.h"

namespace heddle {
namespace {

using testing::ElementsAre;

std::vector<unsigned> members(const WarpSet& set) {
  std::vector<unsigned> list;
  set.for_each([&](WarpId id) { list.push_back(id); });
  return list;
}

TEST(WarpSet, FindsTheNextMember) {
  const WarpSet set = set_of({3, 63, 64, 200});
  EXPECT_EQ(set.next_from(0), 3U);
  EXPECT_EQ(set.next_from(3), 3U);
  EXPECT_EQ(set.next_from(4), 63U);
  EXPECT_EQ(set.next_from(64), 64U);
  EXPECT_EQ(set.next_from(65), 200U);
  EXPECT_EQ(set.next_from(201), kNoWarp);
  EXPECT_EQ(set.next_from(100000), kNoWarp);
  EXPECT_EQ(WarpSet().next_from(0), kNoWarp);
}

TEST(WarpSet, FindsTheNextMemberOfTwo) {
  const WarpSet a = set_of({1, 5, 70, 300}), b = set_of({5, 6, 70});
  EXPECT_EQ(a.next_from(0, b), 5U);
  EXPECT_EQ(a.next_from(6, b), 70U);
  EXPECT_EQ(a.next_from(71, b), kNoWarp);
  EXPECT_EQ(b.next_from(6, a), 70U);
}

TEST(WarpSet, IntersectsSetsOfDifferentLengths) {
  WarpSet a = set_of({1, 70, 300});
  a.intersect(set_of({70, 2}));
  EXPECT_THAT(members(a), ElementsAre(70));
  a.intersect({});
  EXPECT_TRUE(a.empty());
}

TEST(WarpSet, AnswersLikeASet) {
  std::mt19937 random(1);
  std::set<unsigned> expected;
  WarpSet set;
  for (unsigned i = 0; i < 20000; ++i) {
    const auto id = static_cast<WarpId>(random() % 300);
    if (random() % 2 == 0) {
      set.insert(id);
      expected.insert(id);
    } else {
      set.erase(id);
      expected.erase(id);
    }
    const unsigned from = random() % 400;
    const auto next = expected.lower_bound(from);
    ASSERT_EQ(set.next_from(from), next == expected.end() ? kNoWarp.value() : *next);
    if (!expected.empty()) {
      ASSERT_EQ(set.next_round(from), next == expected.end() ? *expected.begin() : *next);
    }
    ASSERT_EQ(set.contains(id), expected.contains(id));
    ASSERT_EQ(set.count(), expected.size());
    ASSERT_EQ(set.empty(), expected.empty());
  }
  EXPECT_EQ(members(set), std::vector<unsigned>(expected.begin(), expected.end()));
}

TEST(WarpSet, BecomesAnotherAndTellsWhatChanged) {
  std::mt19937 random(4);
  WarpSet set;
  for (unsigned i = 0; i < 500; ++i) {
    WarpSet other, without;
    const unsigned highest = 1 + random() % 300;  // sets of different lengths
    for (unsigned n = 0; n < 20; ++n) other.insert(static_cast<WarpId>(random() % highest));
    for (unsigned n = 0; n < 20; ++n) without.insert(static_cast<WarpId>(random() % 200));
    WarpSet told = set;
    set.become(other, [&](WarpId id, bool enters) {
      ASSERT_NE(told.contains(id), enters);
      if (enters)
        told.insert(id);
      else
        told.erase(id);
    });
    ASSERT_EQ(members(set), members(other));
    ASSERT_EQ(members(told), members(other));
    WarpSet rest;
    rest.assign_without(other, without);
    std::vector<unsigned> expected = members(other);
    std::erase_if(expected, [&](unsigned id) { return without.contains(WarpId(id)); });
    ASSERT_EQ(members(rest), expected);
  }
}

TEST(HostSets, FollowEveryChangeOfState) {
  constexpr WarpState kStates[] = {WarpState::Ready,     WarpState::InFlight, WarpState::Held,
                                   WarpState::AtBarrier, WarpState::AtSync,   WarpState::Free};
  struct Model {
    WarpState state = WarpState::Free;
    BlockId block{0};
  };
  std::mt19937 random(2);
  Bench bench({0, 0, 0});
  Host& host = bench.host;
  std::vector<Model> model;
  for (unsigned i = 0; i < 20000; ++i) {
    const auto id = static_cast<WarpId>(random() % (host.size() + 1U));
    const auto block_id = static_cast<BlockId>(random() % 3);
    if (id == host.size() || model[id].state == WarpState::Free) {
      const WarpId opened = host.open(block_id, 0, Group::rows(0, LaneMask::of(0)));
      if (opened >= model.size()) model.resize(opened + 1U);
      ASSERT_EQ(model[opened].state, WarpState::Free);
      model[opened] = {WarpState::Ready, block_id};
    } else if (random() % 4 == 0) {
      host.close(id);
      model[id].state = WarpState::Free;
    } else if (random() % 4 == 0) {
      host.set_block(id, block_id);
      model[id].block = block_id;
    } else {
      model[id].state = kStates[random() % 5];
      host.set_state(id, model[id].state);
    }
    ASSERT_EQ(model.size(), host.size());
    for (WarpState state : kStates)
      ASSERT_EQ(host.count(state),
                std::count_if(model.begin(), model.end(), [&](const Model& m) { return m.state == state; }));
    for (WarpId each{0}; each < host.size(); ++each) {
      ASSERT_EQ(host.warp(each).state, model[each].state);
      ASSERT_EQ(host.ready().contains(each), model[each].state == WarpState::Ready);
      for (BlockId block{0}; block < 3; ++block)
        ASSERT_EQ(host.warps_in(block).contains(each),
                  model[each].state != WarpState::Free && model[each].block == block);
    }
  }
}

TEST(HostSets, KeepThoseWithTheSmallestKeyUnlessOneIsWished) {
  Bench bench({4});
  for (WarpId id{0}; id < 4; ++id) bench.host.set_key(id, id / 2U);
  WarpSet warps = first(4);
  bench.host.keep_first_wishes(warps);
  EXPECT_THAT(members(warps), ElementsAre(0, 1));
  bench.host.wished = WarpId(3);
  warps = first(4);
  bench.host.keep_first_wishes(warps);
  EXPECT_THAT(members(warps), ElementsAre(3));
  warps = set_of({1, 2});
  bench.host.keep_first_wishes(warps);
  EXPECT_THAT(members(warps), ElementsAre(1));
}

TEST(HostSets, TakeTheFirstWishesOfThoseThatAreReady) {
  Bench bench({4});
  for (WarpId id{0}; id < 4; ++id) bench.host.set_key(id, id / 2U);
  WarpSet warps;
  bench.host.take_first_wishes(warps);
  EXPECT_THAT(members(warps), ElementsAre(0, 1));
  bench.host.set_state(WarpId(0), WarpState::Held);
  bench.host.set_state(WarpId(1), WarpState::Held);
  bench.host.take_first_wishes(warps);
  EXPECT_THAT(members(warps), ElementsAre(2, 3));
  bench.host.wished = WarpId(3);
  bench.host.take_first_wishes(warps);
  EXPECT_THAT(members(warps), ElementsAre(3));
}

}  // namespace
}  // namespace heddle
