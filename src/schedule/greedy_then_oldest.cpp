#include "schedule/greedy_then_oldest.h"

namespace heddle {

WarpId GreedyThenOldest::choose(const WarpSet& ready) const {
  if (ready.contains(last_) && host_.warp(last_).age == last_age_) return last_;
  WarpId oldest = kNoWarp;
  uint64_t smallest = UINT64_MAX;
  ready.for_each([&](WarpId id) {
    const uint64_t age = host_.warp(id).age;
    oldest = age < smallest ? id : oldest;
    smallest = age < smallest ? age : smallest;
  });
  return oldest;
}

void GreedyThenOldest::issued(WarpId warp) {
  last_ = warp;
  last_age_ = host_.warp(warp).age;
}

}  // namespace heddle
