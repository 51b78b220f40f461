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

void LaneFit::list_ready() {
  known_at_ = host_.changes();
  lanes_.clear();
  worth_.clear();
  ready_.clear();
  host_.ready().for_each([&](WarpId id) {
    const Warp& warp = host_.warp(id);
    if (warp.key != 0) return;
    lanes_.push_back(lanes_of(id).bits());
    worth_.push_back(uint32_t{warp.group.count} << 16 | (0xffffU - warp.parent));
    ready_.push_back(id);
  });
}

WarpId LaneFit::best_of_ready(WarpId id) {
  if (host_.warp(id).group.count == host_.warp_size()) return kNoWarp;
  if (known_at_ != host_.changes()) list_ready();
  const uint32_t taken = lanes_of(id).bits(), own = 0xffffU - host_.warp(id).parent;
  const auto worth = [&](size_t i) {
    const bool fits = ((lanes_[i] & taken) == 0) & ((worth_[i] & 0xffffU) != own);
    return fits ? worth_[i] : 0;
  };
  uint32_t most = 0;
  for (size_t i = 0; i < ready_.size(); ++i) most = std::max(most, worth(i));
  if (most == 0) return kNoWarp;
  size_t last = ready_.size() - 1;
  while (worth(last) != most) --last;
  return ready_[last];
}

WarpId LaneFit::beside(WarpId id, const WarpSet& ready) {
  if (!host_.timed)
    if (const WarpId best = best_of_ready(id); best == kNoWarp || ready.contains(best)) return best;
  if (id != beside_ || host_.now != found_) find(id, ready);
  while (!fits_.empty())
    if (const WarpId best = take_best(); ready.contains(best)) return best;
  return kNoWarp;
}

}  // namespace heddle
