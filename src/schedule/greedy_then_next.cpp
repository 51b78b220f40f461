#include "schedule/greedy_then_next.h"

namespace heddle {

WarpId GreedyThenNext::choose(const WarpSet& ready) const {
  if (last_goes_on(ready)) return last();
  const WarpId next = host_.next_from(next_, ready);
  return next != kNoWarp ? next : host_.next_from(0, ready);
}

void GreedyThenNext::issued(WarpId warp) {
  Greedy::issued(warp);
  next_ = host_.position_after(warp);
}

}  // namespace heddle
