#include "divergence/support/lane_fit.h"

#include <algorithm>

namespace heddle {

LaneMask LaneFit::mapped_lanes_of(WarpId id) {
  if (known_.size() <= id) known_.resize(id + 1U);
  Known& known = known_[id];
  const Warp& warp = host_.warp(id);
  if (known.mask == warp.group.mask && known.row == warp.group.row && known.block == warp.block) return known.lanes;
  known = {warp.block, warp.group.row, warp.group.mask, {}};
  for_each_lane(known.mask, [&](unsigned k) { known.lanes.add(host_.home_lane(warp.block, warp.group.thread(k))); });
  return known.lanes;
}

void LaneFit::find(WarpId id, const WarpSet& ready) {
  beside_ = id;
  found_ = host_.now;
  fits_.clear();
  const LaneMask taken = lanes_of(id);
  const unsigned free = host_.warp_size() - taken.count();
  if (free == 0) return;
  const WarpId parent = host_.warp(id).parent;
  ready.for_each([&](WarpId other) {
    const Warp& warp = host_.warp(other);
    if (warp.group.count > free || warp.key != 0 || warp.parent == parent) return;
    if ((lanes_of(other) & taken).empty()) fits_.push_back(other);
  });
}

// Most ask once, so they are not sorted.
WarpId LaneFit::take_best() {
  const auto best = std::max_element(fits_.rbegin(), fits_.rend(), [&](WarpId a, WarpId b) {
    const Warp &one = host_.warp(a), &two = host_.warp(b);
    return one.group.count != two.group.count ? one.group.count < two.group.count : one.parent > two.parent;
  });
  const WarpId id = *best;
  fits_.erase(std::next(best).base());
  return id;
}

WarpId LaneFit::beside(WarpId id, const WarpSet& ready) {
  if (id != beside_ || host_.now != found_) find(id, ready);
  while (!fits_.empty())
    if (const WarpId best = take_best(); ready.contains(best)) return best;
  return kNoWarp;
}

}  // namespace heddle
