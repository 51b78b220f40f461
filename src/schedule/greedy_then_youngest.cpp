#include "schedule/greedy_then_youngest.h"

namespace heddle {

WarpId GreedyThenYoungest::choose(const WarpSet& ready) const {
  if (last_goes_on(ready)) return last();
  WarpId youngest = kNoWarp;
  ready.for_each([&](WarpId id) {
    if (youngest == kNoWarp || age_of(host_.warp(id)) > age_of(host_.warp(youngest))) youngest = id;
  });
  return youngest;
}

}  // namespace heddle
