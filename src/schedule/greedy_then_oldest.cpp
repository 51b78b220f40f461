#include "schedule/greedy_then_oldest.h"

namespace heddle {

WarpId GreedyThenOldest::choose(const WarpSet& ready) const {
  if (last_goes_on(ready)) return last();
  WarpId oldest = kNoWarp;
  ready.for_each([&](WarpId id) {
    if (oldest == kNoWarp || age_of(host_.warp(id)) < age_of(host_.warp(oldest))) oldest = id;
  });
  return oldest;
}

}  // namespace heddle
