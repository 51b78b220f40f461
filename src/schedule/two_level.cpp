#include "schedule/two_level.h"

namespace heddle {

WarpId TwoLevel::choose(const WarpSet& ready) const {
  if (const WarpId own = choose_in(group_, ready); own != kNoWarp) return own;
  WarpId other = host_.next_from(first_of(group_ + 1), ready);
  if (other == kNoWarp) other = host_.next_from(0, ready);
  return choose_in(group_of(other), ready);
}

WarpId TwoLevel::choose_in(unsigned group, const WarpSet& ready) const {
  const auto from = [&](uint32_t position) {
    const WarpId id = host_.next_from(position, ready);
    return id != kNoWarp && group_of(id) == group ? id : kNoWarp;
  };
  if (group < next_.size() && next_[group] > first_of(group))
    if (const WarpId id = from(next_[group]); id != kNoWarp) return id;
  return from(first_of(group));
}

void TwoLevel::issued(WarpId warp) {
  group_ = group_of(warp);
  if (next_.size() <= group_) next_.resize(group_ + 1);
  next_[group_] = host_.position_after(warp);
}

}  // namespace heddle
