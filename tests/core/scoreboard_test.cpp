// Registers whose end is known are waited for as long as those that somebody releases at that time.
#include "core/scoreboard.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "program/kernel.h"

namespace heddle::test {
namespace {

constexpr unsigned kNames = 12, kCodeLength = 40, kSomeRows = 3;

// Each writes one or two registers, and reads up to three.
RegisterUses random_uses(std::mt19937& random) {
  RegisterUses uses((Kernel()));
  const auto some = [&](unsigned least, unsigned most) {
    std::vector<uint32_t> registers(least + random() % (most - least + 1));
    for (uint32_t& each : registers) each = random() % kNames;
    return registers;
  };
  for (unsigned i = 0; i < kCodeLength; ++i) uses.add(some(1, 2), some(0, 3));
  return uses;
}

// The same instructions on two scoreboards: one is told the end, the other hears of it then.
class Both {
 public:
  explicit Both(const RegisterUses& uses) : known(uses, false), told(uses, false) {}

  void release_due(CoreCycle now) {
    for (auto due = ends_.equal_range(now); due.first != due.second; ++due.first) told.release(due.first->second);
    ends_.erase(now);
  }
  void issue(Pc pc, const Group& group, CoreCycle end, CoreCycle now) {
    known.take_until(end, pc, group, now);
    told.take(next_, pc, group);
    ends_.emplace(end, next_++);
  }
  void go_along(Pc pc, const Group& group, CoreCycle now) {
    known.pass_on(pc, group, now);
    told.pass_on(pc, group, now);
  }
  // The first cycle, from now on, at which the other would be free if nothing else were issued.
  CoreCycle free_at(Pc pc, const Group& group, CoreCycle now) const {
    Scoreboard later = told;
    for (auto end = ends_.begin(); !later.free(pc, group, now); ++end) {
      later.release(end->second);
      now = end->first;
    }
    return now;
  }
  Scoreboard known, told;

 private:
  std::multimap<CoreCycle, FlightId> ends_;
  FlightId next_ = 0;
};

TEST(Scoreboard, known_ends_are_those_that_are_told) {
  std::mt19937 random(7);
  const RegisterUses uses = random_uses(random);
  std::array<Hw, kRow> threads;
  for (unsigned i = 0; i < kRow; ++i) threads[i] = Hw(static_cast<uint16_t>(i % kSomeRows * kRow + i));  // of all rows
  Both both(uses);
  unsigned waited = 0;
  for (CoreCycle now{1}; now.count() < 20000; ++now) {
    both.release_due(now);
    const auto pc = static_cast<Pc>(random() % kCodeLength);
    const Group group = random() % 8 == 0 ? Group::list(threads.data(), LaneMask::all())
                                          : Group::rows(static_cast<unsigned>(random() % kSomeRows), LaneMask::all());
    const bool free = both.told.free(pc, group, now);
    ASSERT_EQ(both.known.free(pc, group, now), free) << "cycle " << now.count();
    ASSERT_EQ(both.known.there(pc, group, now), both.free_at(pc, group, now)) << "cycle " << now.count();
    waited += free ? 0 : 1;
    if (random() % 16 == 0)
      both.go_along(pc, group, now);
    else if (free)
      both.issue(pc, group, now + 1 + random() % 30, now);
  }
  EXPECT_GT(waited, 1000U);
}

TEST(Scoreboard, what_also_waits_for_somebody_is_there_at_no_known_time) {
  RegisterUses uses((Kernel()));
  uses.add({1}, {});
  uses.add({2}, {});
  uses.add({3}, {1, 2});
  Scoreboard scoreboard(uses, false);
  const Group group = Group::rows(0, LaneMask::all());
  scoreboard.take_until(CoreCycle(20), 0, group, CoreCycle(5));
  scoreboard.take(0, 1, group);
  EXPECT_EQ(scoreboard.there(2, group, CoreCycle(6)), kNever);
  scoreboard.release(0);
  EXPECT_EQ(scoreboard.there(2, group, CoreCycle(7)), CoreCycle(20));
  EXPECT_FALSE(scoreboard.free(2, group, CoreCycle(19)));
  EXPECT_TRUE(scoreboard.free(2, group, CoreCycle(20)));
}

}  // namespace
}  // namespace heddle::test
