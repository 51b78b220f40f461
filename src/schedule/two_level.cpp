#include "schedule/two_level.h"

namespace heddle {

WarpId TwoLevel::choose(const WarpSet& ready) const {
  if (const WarpId own = choose_in(group_, ready); own != kNoWarp) return own;
  WarpId other = ready.next_from((group_ + 1) * size_);
  if (other == kNoWarp) other = ready.next_from(0);
  return choose_in(other / size_, ready);
}

WarpId TwoLevel::choose_in(unsigned group, const WarpSet& ready) const {
  const unsigned first = group * size_, end = first + size_;
  if (group < next_.size() && next_[group] > first)
    if (const WarpId id = ready.next_from(next_[group]); id < end) return id;
  const WarpId id = ready.next_from(first);
  return id < end ? id : kNoWarp;
}

void TwoLevel::issued(WarpId warp) {
  group_ = warp / size_;
  if (next_.size() <= group_) next_.resize(group_ + 1);
  next_[group_] = warp + 1U;
}

}  // namespace heddle
