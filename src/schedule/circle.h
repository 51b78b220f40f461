// The members of a set of warps in the order in which who goes round takes them: by parents, then by ids
// (Host::position). Where warps have splits that is not the order of their ids; so it is kept, and changed where the
// set has changed since it was asked last.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "divergence/host.h"

namespace heddle {

class Circle {
 public:
  explicit Circle(const Host& host) : host_(host) {}
  WarpId next_round(uint32_t position, const WarpSet& warps);  // as Host's
  // This one and all behind it, by their positions, for who asks for other warps only where some have changed
  // (Host::changes). Good until it is asked again.
  std::span<const uint32_t> rest_of_round(uint32_t position, const WarpSet& warps);

 private:
  static constexpr uint64_t kOthers = ~uint64_t{0};
  void follow(const WarpSet& warps);
  void toggle(WarpId id, bool enters);
  WarpId next_from(uint32_t position);

  const Host& host_;
  WarpSet members_;
  std::vector<uint32_t> order_;  // their positions
  std::vector<uint32_t> at_;     // by id: the position by which it was entered
  size_t last_ = 0;              // in the order: who was the answer
  uint64_t opened_ = 0;          // warps, when it was asked last
  uint64_t same_at_ = kOthers;   // Host::changes, when it was asked for a round last
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
