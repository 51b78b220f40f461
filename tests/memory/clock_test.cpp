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
  const Clock<DramCycle> clock(13);
  EXPECT_EQ(clock.at_or_after(Tick(0)), DramCycle(0));
  EXPECT_EQ(clock.at_or_after(Tick(1)), DramCycle(1));
  EXPECT_EQ(clock.at_or_after(Tick(13)), DramCycle(1));
  EXPECT_EQ(clock.at_or_after(Tick(14)), DramCycle(2));
  EXPECT_EQ(clock.after(Tick(0)), DramCycle(1));
  EXPECT_EQ(clock.after(Tick(12)), DramCycle(1));
  EXPECT_EQ(clock.after(Tick(13)), DramCycle(2));
}

}  // namespace
}  // namespace heddle
