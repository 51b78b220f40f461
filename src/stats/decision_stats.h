// What became of the decisions to wait at a branch or to pass on, with hindsight.
#pragma once

#include <cstdint>

namespace heddle {

// One per warp and branch it executed: what it did / what would have been best.
struct DecisionStats {
  uint64_t stall_stall = 0, stall_bypass = 0, bypass_stall = 0, bypass_bypass = 0;
  uint64_t open = 0;  // of these, at branches where the search for the best set of warps was cut short
  uint64_t where_parted = 0, right_where_parted = 0;  // at branches at which some warp of the block diverged

  uint64_t all() const { return stall_stall + stall_bypass + bypass_stall + bypass_bypass; }
  double accuracy() const {
    return all() == 0 ? 1 : static_cast<double>(stall_stall + bypass_bypass) / static_cast<double>(all());
  }
  double accuracy_where_parted() const {
    return where_parted == 0 ? 1 : static_cast<double>(right_where_parted) / static_cast<double>(where_parted);
  }
  DecisionStats& operator+=(const DecisionStats& other) {
    stall_stall += other.stall_stall;
    stall_bypass += other.stall_bypass;
    bypass_stall += other.bypass_stall;
    bypass_bypass += other.bypass_bypass;
    open += other.open;
    where_parted += other.where_parted;
    right_where_parted += other.right_where_parted;
    return *this;
  }
  bool operator==(const DecisionStats&) const = default;
};

}  // namespace heddle
