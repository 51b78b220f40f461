#include "memory/clock.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Clocks, HaveWholePeriods) {
  const Clocks clocks = Clocks::of(1300, 650, 800);
  EXPECT_EQ(clocks.core.period(), 8u);
  EXPECT_EQ(clocks.network.period(), 16u);
  EXPECT_EQ(clocks.memory.period(), 13u);
}

TEST(Clocks, AreEqualWhereTheirFrequenciesAre) {
  const Clocks clocks = Clocks::of(700, 700, 700);
  EXPECT_EQ(clocks.core.period(), 1u);
  EXPECT_EQ(clocks.network.period(), 1u);
  EXPECT_EQ(clocks.memory.period(), 1u);
}

TEST(Clock, KnowsTheEdgesAroundATime) {
  const Clock clock(13);
  EXPECT_EQ(clock.at_or_after(0), 0u);
  EXPECT_EQ(clock.at_or_after(1), 1u);
  EXPECT_EQ(clock.at_or_after(13), 1u);
  EXPECT_EQ(clock.at_or_after(14), 2u);
  EXPECT_EQ(clock.after(0), 1u);
  EXPECT_EQ(clock.after(12), 1u);
  EXPECT_EQ(clock.after(13), 2u);
}

}  // namespace
}  // namespace heddle
