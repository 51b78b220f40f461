#include "divergence/support/lane_fit.h"

#include <algorithm>
#include <utility>

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

// Sorted by how many threads they have, by counting.
void LaneFit::list_ready() {
  known_at_ = host_.changes();
  ++lists_;
  first_of_.fill(0);
  found_ready_.clear();
  host_.ready().for_each([&](WarpId id) {
    const Warp& warp = host_.warp(id);
    if (warp.key != 0 || warp.group.count == host_.warp_size()) return;
    found_ready_.push_back(id);
    ++first_of_[kRow - warp.group.count];
  });
  unsigned sum = 0;
  for (unsigned& first : first_of_) first = std::exchange(sum, sum + first);
  ready_.resize(found_ready_.size());
  auto next = first_of_;
  for (const WarpId id : found_ready_) {
    const Warp& warp = host_.warp(id);
    ready_[next[kRow - warp.group.count]++] = {lanes_of(id), warp.group.count, warp.parent, id};
  }
}

WarpId LaneFit::best_of_ready(WarpId id) {
  if (host_.warp(id).group.count == host_.warp_size()) return kNoWarp;
  if (known_at_ != host_.changes()) list_ready();
  if (answers_.size() <= id) answers_.resize(id + 1U);
  Answer& answer = answers_[id];
  if (answer.lists != lists_) answer = {lists_, look_for_best(id)};
  return answer.best;
}

WarpId LaneFit::look_for_best(WarpId id) {
  const LaneMask taken = lanes_of(id);
  const WarpId parent = host_.warp(id).parent;
  const ReadyWarp* best = nullptr;
  for (size_t i = first_of_[kRow - (host_.warp_size() - taken.count())]; i < ready_.size(); ++i) {
    const ReadyWarp& other = ready_[i];
    if (best && other.count < best->count) break;
    if (!(other.lanes & taken).empty() || other.parent == parent) continue;
    if (!best || other.parent <= best->parent) best = &other;
  }
  return best ? best->id : kNoWarp;
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
