#include "memory/mshrs.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

namespace heddle {
namespace {

TEST(Mshrs, AreFullAfterAsManyLinesAsThereAreEntries) {
  Mshrs mshrs(2, 4);
  mshrs.allocate(10, 0);
  EXPECT_FALSE(mshrs.full());
  const Mshrs::Entry second = mshrs.allocate(11, 0);
  EXPECT_TRUE(mshrs.full());
  mshrs.pop_ready(second);
  EXPECT_TRUE(mshrs.full()) << "an entry is taken until it is released";
  mshrs.release(second);
  EXPECT_FALSE(mshrs.full());
}

TEST(Mshrs, TakeAsManyTargetsAsTheLimitWithTheFirst) {
  Mshrs mshrs(1, 3);
  const Mshrs::Entry entry = mshrs.allocate(10, 100);
  mshrs.merge(entry, 101);
  EXPECT_TRUE(mshrs.can_merge(entry));
  mshrs.merge(entry, 102);
  EXPECT_FALSE(mshrs.can_merge(entry));
  EXPECT_ANY_THROW(mshrs.merge(entry, 103));
}

TEST(Mshrs, GiveTargetsBackInOrderOfArrival) {
  Mshrs mshrs(2, 8);
  const Mshrs::Entry a = mshrs.allocate(10, 1), b = mshrs.allocate(11, 5);
  mshrs.merge(a, 2);
  mshrs.merge(b, 6);
  mshrs.merge(a, 3);
  EXPECT_EQ(mshrs.line(a), 10u);
  EXPECT_EQ(mshrs.line(b), 11u);
  for (const Mshrs::Target target : {1, 2, 3}) EXPECT_EQ(mshrs.pop_ready(a), target);
  EXPECT_EQ(mshrs.waiting(a), 0u);
  mshrs.merge(a, 4);
  EXPECT_EQ(mshrs.pop_ready(a), 4u) << "a target that comes while the others are served";
  for (const Mshrs::Target target : {5, 6}) EXPECT_EQ(mshrs.pop_ready(b), target);
}

TEST(Mshrs, AreNotReleasedWhileSomeoneWaits) {
  Mshrs mshrs(1, 2);
  const Mshrs::Entry entry = mshrs.allocate(10, 1);
  EXPECT_ANY_THROW(mshrs.release(entry));
}

TEST(Mshrs, AgreeWithQueuesOnRandomUse) {
  Mshrs mshrs(7, 5);
  std::map<Mshrs::Entry, std::deque<Mshrs::Target>> model;
  std::mt19937 random(1);
  for (unsigned i = 0; i < 50000; ++i) {
    ASSERT_EQ(mshrs.full(), model.size() == 7);
    ASSERT_EQ(mshrs.used(), model.size());
    if (!mshrs.full() && random() % 3 == 0) {
      const Mshrs::Entry entry = mshrs.allocate(i, i);
      ASSERT_FALSE(model.contains(entry));
      model[entry] = {i};
    } else if (!model.empty()) {
      auto place = std::next(model.begin(), random() % model.size());
      auto& [entry, targets] = *place;
      ASSERT_EQ(mshrs.can_merge(entry), targets.size() < 5);
      if (mshrs.can_merge(entry) && random() % 2 == 0) {
        mshrs.merge(entry, i);
        targets.push_back(i);
        continue;
      }
      ASSERT_EQ(mshrs.pop_ready(entry), targets.front());
      targets.pop_front();
      if (!targets.empty()) continue;
      mshrs.release(entry);
      model.erase(place);
    }
  }
}

TEST(Mshrs, WhereEachTargetTakesOneAllTogetherAreAsManyAsThereAre) {
  Mshrs mshrs(3, 3, true);
  const Mshrs::Entry first = mshrs.allocate(10, 0);
  const Mshrs::Entry second = mshrs.allocate(11, 1);
  EXPECT_TRUE(mshrs.can_merge(first));
  mshrs.merge(first, 2);
  EXPECT_EQ(mshrs.targets(), 3u);
  EXPECT_FALSE(mshrs.can_merge(second));
  EXPECT_TRUE(mshrs.full()) << "a line of its own finds no room either";
  mshrs.pop_ready(first);
  EXPECT_TRUE(mshrs.can_merge(second));
  EXPECT_FALSE(mshrs.full());
}

}  // namespace
}  // namespace heddle
