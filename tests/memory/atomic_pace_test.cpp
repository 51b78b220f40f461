#include "memory/atomic_pace.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

// When `count` operations of one cycle each are over, that follow each other at once.
uint64_t end_of(AtomicPace& pace, uint64_t from, unsigned count) {
  NetworkCycle now(from);
  for (unsigned i = 0; i < count; ++i) now = pace.after(now, 1);
  return now.count();
}

TEST(AtomicPace, CountsCyclesOfTheNetworkWithoutAClockOfItsOwn) {
  AtomicPace pace(0, 0);
  EXPECT_FALSE(pace.beside());
  EXPECT_EQ(pace.after(NetworkCycle(7), 3).count(), 10U);
  EXPECT_EQ(pace.after(NetworkCycle(10), 0).count(), 10U);
}

TEST(AtomicPace, KeepsPaceWithASlowerAndAFasterClock) {
  AtomicPace slow(1500, 1200), fast(1000, 3000);
  EXPECT_TRUE(slow.beside());
  EXPECT_EQ(end_of(slow, 100, 400), 600U);
  EXPECT_EQ(fast.after(NetworkCycle(10), 30).count(), 20U);
}

TEST(AtomicPace, WhatIsLeftOfACycleIsLostWhereNothingFollows) {
  AtomicPace pace(1500, 1000);
  EXPECT_EQ(pace.after(NetworkCycle(0), 1).count(), 2U);
  EXPECT_EQ(pace.after(NetworkCycle(2), 1).count(), 3U);  // half a cycle was left
  EXPECT_EQ(pace.after(NetworkCycle(50), 1).count(), 52U);
}

}  // namespace
}  // namespace heddle
