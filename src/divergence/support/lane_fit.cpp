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
  ++lists_;
  ready_.clear();
  counts_ = {};
  host_.ready().for_each([&](WarpId id) {
    const Warp& warp = host_.warp(id);
    if (warp.key != 0 || warp.group.count == host_.warp_size()) return;
    const unsigned place = kRow - warp.group.count;
    const unsigned next = counts_.has(place) ? last_of_[place] : kNobody;
    counts_.add(place);
    last_of_[place] = static_cast<unsigned>(ready_.size());
    ready_.push_back({lanes_of(id), warp.parent, id, next});
  });
}

WarpId LaneFit::best_of_ready(WarpId id) {
  if (known_at_ != host_.changes()) list_ready();
  if (answers_.size() <= id) answers_.resize(id + 1U);
  Answer& answer = answers_[id];
  if (answer.lists != lists_) answer = {lists_, look_for_best(id)};
  return answer.best;
}

WarpId LaneFit::look_for_best(WarpId id) {
  const LaneMask taken = lanes_of(id);
  const WarpId parent = host_.warp(id).parent;
  const unsigned free = host_.warp_size() - taken.count();
  for (LaneMask left = counts_.without(LaneMask::first(kRow - free)); !left.empty(); left.remove(left.lowest())) {
    const ReadyWarp* best = nullptr;
    for (unsigned i = last_of_[left.lowest()]; i != kNobody; i = ready_[i].next) {
      const ReadyWarp& other = ready_[i];
      const bool fits = (other.lanes & taken).empty() && other.parent != parent;
      if (fits && (!best || other.parent < best->parent)) best = &other;
    }
    if (best) return best->id;
  }
  return kNoWarp;
}

WarpId LaneFit::look_beside(WarpId id, const WarpSet& ready) {
  if (&ready == &host_.ready()) return best_of_ready(id);
  if (id != beside_ || host_.now != found_) find(id, ready);
  while (!fits_.empty())
    if (const WarpId best = take_best(); ready.contains(best)) return best;
  return kNoWarp;
}

}  // namespace heddle
