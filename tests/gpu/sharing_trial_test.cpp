// Rounds of a made-up host, on which a tick takes so long shared and so long alone.
#include "gpu/sharing_trial.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr unsigned kTicks = 30;  // of a round

struct Host {
  double shared, alone;
};

class Rounds {
 public:
  // The part of the rounds that were shared, of so many.
  double run(const Host& host, unsigned count) {
    unsigned shared = 0;
    for (unsigned i = 0; i < count; ++i) {
      trial_.begin_round(time_, tick_);
      shared += trial_.shares();
      time_ += kTicks * (trial_.shares() ? host.shared : host.alone);
      tick_ += kTicks;
    }
    return static_cast<double>(shared) / count;
  }
  double time() const { return time_; }

 private:
  SharingTrial trial_;
  double time_ = 0;
  uint64_t tick_ = 0;
};

TEST(SharingTrial, goes_the_faster_way) {
  EXPECT_GT(Rounds().run({50, 60}, 10000), 0.95);
  EXPECT_LT(Rounds().run({60, 50}, 10000), 0.05);
}

TEST(SharingTrial, costs_little_where_one_way_is_by_far_the_slower) {
  Rounds rounds;
  rounds.run({10, 100}, 5000);
  EXPECT_LT(rounds.time(), 1.02 * 5000 * kTicks * 10);
}

TEST(SharingTrial, notices_that_the_other_way_has_become_the_faster) {
  Rounds rounds;
  EXPECT_GT(rounds.run({50, 60}, 3000), 0.9);
  EXPECT_LT(rounds.run({60, 50}, 6000), 0.3);
  EXPECT_GT(rounds.run({50, 60}, 6000), 0.7);
}

}  // namespace
}  // namespace heddle
