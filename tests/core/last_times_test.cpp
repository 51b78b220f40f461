// The last times of a sequence, by how many there are behind them.
#include "core/last_times.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(LastTimes, are_known_as_far_back_as_was_said) {
  LastTimes times(3);
  EXPECT_EQ(times.last(1), CoreCycle{0});
  for (uint64_t time = 10; time <= 70; time += 10) {
    times.push(CoreCycle{time});
    EXPECT_EQ(times.last(1), CoreCycle{time});
    EXPECT_EQ(times.last(3), time > 20 ? CoreCycle{time - 20} : CoreCycle{0});
  }
}

// So a pipeline of one place is full until its only group has entered.
TEST(LastTimes, of_one_place_are_the_last) {
  LastTimes times(1);
  times.push(CoreCycle{4});
  times.push(CoreCycle{9});
  EXPECT_EQ(times.last(1), CoreCycle{9});
}

}  // namespace
}  // namespace heddle
