#include "schedule/greedy_then_oldest.h"

namespace heddle {

WarpId GreedyThenOldest::choose(const WarpSet& ready) const {
  if (ready.contains(last_) && host_.warp(last_).serial == last_serial_) return last_;
  WarpId oldest = kNoWarp;
  const auto older = [&](const Warp& a, const Warp& b) { return a.age != b.age ? a.age < b.age : a.serial < b.serial; };
  ready.for_each([&](WarpId id) {
    if (oldest == kNoWarp || older(host_.warp(id), host_.warp(oldest))) oldest = id;
  });
  return oldest;
}

void GreedyThenOldest::issued(WarpId warp) {
  last_ = warp;
  last_serial_ = host_.warp(warp).serial;
}

}  // namespace heddle
