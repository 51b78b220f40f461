// Instructions under way complete at the latest of what they wait for: at n, not at n-1.
#include "core/flights.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace heddle::test {
namespace {

// What completes in each cycle, going from one to the next.
std::vector<unsigned> completing_at(Flights& flights, CoreCycle now) {
  std::vector<unsigned> warps;
  flights.advance(now);
  flights.complete_due(
      now, [&](WarpId warp) { warps.push_back(warp); },
      [&](FlightId, const Flight& flight) { warps.push_back(flight.warp); });
  return warps;
}

TEST(Flights, complete_at_n_and_not_at_n_minus_1) {
  Flights flights;
  flights.done(flights.start(WarpId(7), 0, 1), CoreCycle(24));
  for (CoreCycle now{1}; now.count() < 24; ++now) EXPECT_TRUE(completing_at(flights, now).empty()) << now.count();
  EXPECT_EQ(completing_at(flights, CoreCycle(24)), std::vector<unsigned>{7});
  EXPECT_EQ(flights.under_way(), 0U);
}

TEST(Flights, of_several_groups_wait_for_the_slowest) {
  Flights flights;
  const FlightId id = flights.start(WarpId(1), 0, 3);
  flights.done(id, CoreCycle(30));
  flights.done(id, CoreCycle(10));
  EXPECT_EQ(flights.next(CoreCycle(0)), kNever) << "not known yet";
  flights.done(id, CoreCycle(20));
  EXPECT_EQ(flights.next(CoreCycle(0)), CoreCycle(30));
}

TEST(Flights, count_those_that_wait_for_memory) {
  Flights flights;
  const FlightId id = flights.start(WarpId(1), 0, 1);
  flights.wait(id);
  flights.wait(id);
  flights.done(id, CoreCycle(12));
  EXPECT_EQ(flights.waiting_for_memory(), 1U);
  flights.line_done(id, CoreCycle(100));
  EXPECT_EQ(flights.waiting_for_memory(), 1U);
  flights.line_done(id, CoreCycle(90));
  EXPECT_EQ(flights.waiting_for_memory(), 0U);
  EXPECT_EQ(flights.next(CoreCycle(50)), CoreCycle(100));
}

TEST(Flights, that_complete_together_come_in_the_order_they_were_booked) {
  Flights flights;
  for (unsigned warp : {5, 3, 9, 1}) flights.done(flights.start(WarpId(warp), 0, 1), CoreCycle(40));
  EXPECT_EQ(completing_at(flights, CoreCycle(40)), (std::vector<unsigned>{5, 3, 9, 1}));
}

TEST(Flights, call_a_warp_once_and_before_those_that_complete) {
  Flights flights;
  flights.done(flights.start(WarpId(5), 0, 1), CoreCycle(40));
  for (const unsigned warp : {63, 9, 9}) flights.call(WarpId(warp), CoreCycle(40));
  EXPECT_EQ(flights.under_way(), 3U);
  EXPECT_EQ(flights.next(CoreCycle(1)), CoreCycle(40));
  EXPECT_TRUE(completing_at(flights, CoreCycle(39)).empty());
  EXPECT_EQ(completing_at(flights, CoreCycle(40)), (std::vector<unsigned>{9, 63, 5}));
  EXPECT_EQ(flights.under_way(), 0U);
  EXPECT_TRUE(flights.calls(WarpId(63), CoreCycle(40 + 127)));
  EXPECT_FALSE(flights.calls(WarpId(63), CoreCycle(40 + 128))) << "a ring of 128 cycles";
  EXPECT_FALSE(flights.calls(WarpId(64), CoreCycle(41))) << "a bit for each of 64";
}

TEST(Flights, of_which_only_the_end_is_known_are_one_until_then) {
  Flights flights;
  flights.advance(CoreCycle(10));
  flights.until(CoreCycle(30));
  flights.until(CoreCycle(20));
  EXPECT_EQ(flights.under_way(), 1U);
  EXPECT_EQ(flights.next(CoreCycle(11)), CoreCycle(30)) << "the core is not idle before";
  flights.advance(CoreCycle(29));
  EXPECT_EQ(flights.under_way(), 1U);
  EXPECT_TRUE(completing_at(flights, CoreCycle(30)).empty());
  EXPECT_EQ(flights.under_way(), 0U);
  EXPECT_EQ(flights.next(CoreCycle(31)), kNever);
}

// Against a plain map, with completions near and far; time goes from event to event.
TEST(Flights, agree_with_a_plain_model_whatever_the_distance) {
  std::mt19937 random(1);
  Flights flights;
  std::multimap<CoreCycle, unsigned> model;
  CoreCycle now{0};
  uint16_t warp = 0;
  for (unsigned step = 0; step < 20000; ++step) {
    flights.advance(now);
    for (unsigned n = random() % 3; n > 0; --n) {
      const uint64_t distance = random() % 20 == 0 ? 100 + random() % 3000 : 1 + random() % 60;
      model.emplace(now + distance, warp);
      flights.done(flights.start(WarpId(warp++), 0, 1), now + distance);
    }
    if (model.empty()) continue;
    const CoreCycle due = model.begin()->first, next = flights.next(now + 1);
    ASSERT_LE(next, due) << "asleep over a completion";
    ASSERT_GT(next, now);
    now = next;
    std::vector<unsigned> expected;
    for (auto range = model.equal_range(now); range.first != range.second; ++range.first)
      expected.push_back(range.first->second);
    model.erase(now);
    std::vector<unsigned> got = completing_at(flights, now);
    std::sort(got.begin(), got.end());
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(got, expected) << "cycle " << now.count();
  }
}

}  // namespace
}  // namespace heddle::test
