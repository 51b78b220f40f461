// The members of a set of warps in the order in which who goes round takes them: by parents, then by ids
// (Host::position). Where warps have splits that is not the order of their ids; so it is kept, and changed where the
// set has changed since it was asked last.
#pragma once

#include <algorithm>
#include <vector>

#include "divergence/host.h"

namespace heddle {

class Circle {
 public:
  explicit Circle(const Host& host) : host_(host) {}
  WarpId next_round(uint32_t position, const WarpSet& warps);  // as Host's
  // The same for who has asked for this set last, if no warp has been opened since.
  WarpId next_of_same(uint32_t position, const WarpSet& warps) {
    return host_.has_splits() ? next_from(position) : host_.next_round(position, warps);
  }

 private:
  void follow(const WarpSet& warps);
  void toggle(WarpId id, bool enters);
  WarpId next_from(uint32_t position);

  const Host& host_;
  WarpSet members_;
  std::vector<uint32_t> order_;  // their positions
  std::vector<uint32_t> at_;     // by id: the position by which it was entered
  size_t last_ = 0;              // in the order: who was the answer
  uint64_t opened_ = 0;          // warps, when it was asked last
};

// Most ask for the one behind the last.
inline WarpId Circle::next_from(uint32_t position) {
  if (last_ < order_.size() && order_[last_] + 1 == position)
    ++last_;
  else
    last_ = static_cast<size_t>(std::lower_bound(order_.begin(), order_.end(), position) - order_.begin());
  if (last_ == order_.size()) last_ = 0;
  return host_.at_position(order_[last_]);
}

}  // namespace heddle
