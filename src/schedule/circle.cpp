#include "schedule/circle.h"

#include <algorithm>

namespace heddle {

WarpId Circle::next_round(uint32_t position, const WarpSet& warps) {
  if (!host_.has_splits()) return host_.next_round(position, warps);
  follow(warps);
  return next_from(position);
}

WarpId Circle::next_of_same(uint32_t position, const WarpSet& warps) {
  return host_.has_splits() ? next_from(position) : host_.next_round(position, warps);
}

// Most ask for the one behind the last.
WarpId Circle::next_from(uint32_t position) {
  if (last_ < order_.size() && order_[last_] + 1 == position)
    ++last_;
  else
    last_ = static_cast<size_t>(std::lower_bound(order_.begin(), order_.end(), position) - order_.begin());
  if (last_ == order_.size()) last_ = 0;
  return host_.at_position(order_[last_]);
}

// An id that was closed and opened again may stand elsewhere.
void Circle::follow(const WarpSet& warps) {
  members_.become(warps, [&](WarpId id, bool enters) { toggle(id, enters); });
  if (opened_ == host_.opened()) return;
  opened_ = host_.opened();
  bool moved = false;
  for (uint32_t& each : order_) {
    const WarpId id = host_.at_position(each);
    if (each == host_.position(id)) continue;
    each = at_[id] = host_.position(id);
    moved = true;
  }
  if (moved) std::sort(order_.begin(), order_.end());
}

void Circle::toggle(WarpId id, bool enters) {
  if (at_.size() <= id) at_.resize(id + 1U);
  if (enters) at_[id] = host_.position(id);
  const auto place = std::lower_bound(order_.begin(), order_.end(), at_[id]);
  if (enters)
    order_.insert(place, at_[id]);
  else
    order_.erase(place);
}

}  // namespace heddle
