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

void LaneFit::enter(WarpId id) {
  if (entries_.size() <= id) entries_.resize(id + 1U);
  const Warp& warp = host_.warp(id);
  const unsigned place = kRow - warp.group.count;
  const WarpId after = places_.has(place) ? at_[place] : kNoWarp;
  entries_[id] = {lanes_of(id), place, warp.parent, kNoWarp, after};
  if (after != kNoWarp) entries_[after].before = id;
  at_[place] = id;
  all_[place] = after == kNoWarp ? entries_[id].lanes : all_[place] & entries_[id].lanes;
  places_.add(place);
}

void LaneFit::leave(WarpId id) {
  const Entry& entry = entries_[id];
  if (entry.after != kNoWarp) entries_[entry.after].before = entry.before;
  if (entry.before != kNoWarp)
    entries_[entry.before].after = entry.after;
  else if (entry.after != kNoWarp)
    at_[entry.place] = entry.after;
  else
    places_.remove(entry.place);
}

void LaneFit::regroups(WarpId id) {
  known_at_ = ~uint64_t{0};
  if (!members_.contains(id)) return;
  members_.erase(id);
  leave(id);
}

void LaneFit::follow_ready() {
  known_at_ = host_.changes();
  ++look_;
  answers_.resize(host_.size());
  host_.take_keyless(first_);
  members_.become(first_, [&](WarpId id, bool enters) { enters ? enter(id) : leave(id); });
}

WarpId LaneFit::best_of_ready(WarpId id) {
  if (known_at_ != host_.changes()) follow_ready();
  return answers_[id].look == look_ ? answers_[id].best : look_for_best(id);
}

WarpId LaneFit::look_for_best(WarpId id) {
  const WarpId best = find_best(id);
  answers_[id] = {look_, best};
  return best;
}

WarpId LaneFit::find_best(WarpId id) {
  const LaneMask taken = lanes_of(id);
  const WarpId parent = host_.warp(id).parent;
  const unsigned free = host_.warp_size() - host_.warp(id).group.count;
  for (LaneMask left = places_.without(LaneMask::first(kRow - free)); !left.empty(); left.remove(left.lowest())) {
    if (!(all_[left.lowest()] & taken).empty()) continue;
    WarpId best = kNoWarp;
    for (WarpId other = at_[left.lowest()]; other != kNoWarp; other = entries_[other].after) {
      const Entry& entry = entries_[other];
      if (!(entry.lanes & taken).empty() || entry.parent == parent) continue;
      if (best == kNoWarp || goes_before(other, best)) best = other;
    }
    if (best != kNoWarp) return best;
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
