#include "divergence/support/lane_fit.h"

#include <algorithm>

namespace heddle {

LaneMask LaneFit::mapped_lanes_of(WarpId id) const {
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
  Entry& entry = entries_[id];
  entry = {lanes_of(id), kRow - warp.group.count, warp.parent, kNoWarp, kNoWarp};
  const unsigned place = entry.place;
  all_[place] = places_.has(place) ? all_[place] & entry.lanes : entry.lanes;
  if (places_.has(place)) entry.after = at_[place];
  while (entry.after != kNoWarp && goes_before(entry.after, id)) {
    entry.before = entry.after;
    entry.after = entries_[entry.after].after;
  }
  if (entry.after != kNoWarp) entries_[entry.after].before = id;
  (entry.before != kNoWarp ? entries_[entry.before].after : at_[place]) = id;
  places_.add(place);
  note_changed(id);
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
  note_changed(id);
}

void LaneFit::regroups(WarpId id) {
  known_at_ = ~uint64_t{0};
  if (answers_.size() <= id) answers_.resize(id + 1U);
  answers_[id] = {};
  if (!members_.contains(id)) return;
  members_.erase(id);
  leave(id);
}

void LaneFit::follow_ready() {
  known_at_ = host_.changes();
  if (answers_.size() < host_.size()) answers_.resize(host_.size());
  host_.take_keyless(first_);
  members_.become(first_, [&](WarpId id, bool enters) { enters ? enter(id) : leave(id); });
}

// Who was the best stays so if it has not changed itself; but those that have may be better.
WarpId LaneFit::best_now(WarpId id, const Answer& answer) const {
  if (answer.changed == 0 || changed_ - answer.changed > last_changed_.size()) return find_best(id);
  const LaneMask taken = lanes_of(id);
  const WarpId parent = host_.warp(id).parent;
  WarpId best = answer.best;
  for (uint64_t i = answer.changed; i < changed_; ++i) {
    const WarpId other = last_changed_[i % last_changed_.size()];
    if (other == answer.best) return find_best(id);
    if (!members_.contains(other) || !fits(other, taken, parent)) continue;
    if (best == kNoWarp || is_better(other, best)) best = other;
  }
  return best;
}

WarpId LaneFit::find_best(WarpId id) const {
  const LaneMask taken = lanes_of(id);
  const WarpId parent = host_.warp(id).parent;
  const unsigned free = host_.warp_size() - host_.warp(id).group.count;
  for (LaneMask left = places_.without(LaneMask::first(kRow - free)); !left.empty(); left.remove(left.lowest())) {
    if (!(all_[left.lowest()] & taken).empty()) continue;
    for (WarpId other = at_[left.lowest()]; other != kNoWarp; other = entries_[other].after)
      if (fits(other, taken, parent)) return other;
  }
  return kNoWarp;
}

WarpId LaneFit::look_beside(WarpId id, const WarpSet& ready) {
  if (id != beside_ || host_.now != found_) find(id, ready);
  while (!fits_.empty())
    if (const WarpId best = take_best(); ready.contains(best)) return best;
  return kNoWarp;
}

}  // namespace heddle
