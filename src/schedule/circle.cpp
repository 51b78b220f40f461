#include "schedule/circle.h"

namespace heddle {

WarpId Circle::next_round(uint32_t position, const WarpSet& warps) {
  same_at_ = kOthers;
  follow(warps);
  return next_from(position);
}

std::span<const uint32_t> Circle::rest_of_round(uint32_t position, const WarpSet& warps) {
  if (same_at_ != host_.changes()) follow(warps);
  same_at_ = host_.changes();
  next_from(position);
  return std::span(order_).subspan(last_);
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
