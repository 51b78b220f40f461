#include "check/timeline.h"

#include <algorithm>

namespace heddle::check {

bool Timeline::start_launch(std::shared_ptr<const Kernel> kernel, const LaunchInfo& launch, const LaunchOrder& order) {
  const bool anew = now_ > kMost;
  if (anew) {
    now_ = 1;
    past_.clear();
  }
  forget_settled(order.settled);
  before_ = floor_ = now_;
  for (LaunchPast& past : past_) {
    past.ordered = std::find(order.unordered.begin(), order.unordered.end(), past.number) == order.unordered.end();
    if (!past.ordered) floor_ = std::min(floor_, past.after);
  }
  past_.push_back({std::move(kernel), launch, order.number, before_, true});
  warps_per_block_ = past_.back().warps_per_block();
  return anew;
}

void Timeline::forget_settled(size_t settled) {
  while (!past_.empty() && (past_.front().number < settled || past_.size() > kMostPast || (warps_.size() > kMostWarps)))
    if (past_.pop_front(); !past_.empty()) {
      warps_.erase(warps_.begin(), warps_.begin() + (past_.front().after - forgotten_));
      forgotten_ = past_.front().after;
    }
  if (!past_.empty()) return;
  warps_.clear();
  forgotten_ = now_;
}

const LaunchPast& Timeline::launch_of(Segment segment) const {
  const auto behind = std::upper_bound(past_.begin(), past_.end(), segment,
                                       [](Segment value, const LaunchPast& past) { return value <= past.after; });
  return *std::prev(behind);
}

}  // namespace heddle::check
