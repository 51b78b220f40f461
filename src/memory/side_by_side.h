// A few moments side by side, one per part, and the questions asked of all of them at every step. They stand in groups
// of eight, filled up with the last there is (kNever), so that compilers turn the loops into straight code without
// branches.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/error.h"
#include "base/types.h"

namespace heddle {

template <class Value, size_t kMost>  // a Moment
class SideBySide {
 public:
  explicit SideBySide(size_t count) : count_((count + kGroup - 1) / kGroup) {
    require(count > 0 && count <= kMost, "so many do not stand side by side");
    for (Group& group : groups_) group.fill(kLast);
  }

  Value operator[](size_t i) const { return Value(groups_[i / kGroup][i % kGroup]); }
  void set(size_t i, Value value) { groups_[i / kGroup][i % kGroup] = value.count(); }

  Value least() const {
    uint64_t least = least_of(groups_[0]);
    for (size_t i = 1; i < count_; ++i) least = std::min(least, least_of(groups_[i]));
    return Value(least);
  }
  // Calls f(number) for those that are not behind `now`, in their order. It may set that one's.
  template <class F>
  void for_each_due(Value now, F&& f) const {
    for (size_t i = 0; i < count_; ++i) {
      unsigned due = 0;
      for (size_t k = 0; k < kGroup; ++k) due |= unsigned{groups_[i][k] <= now.count()} << k;
      for (; due != 0; due &= due - 1) f(kGroup * i + static_cast<size_t>(std::countr_zero(due)));
    }
  }

 private:
  static constexpr size_t kGroup = 8;
  static constexpr uint64_t kLast = std::numeric_limits<uint64_t>::max();
  using Group = std::array<uint64_t, kGroup>;

  static uint64_t least_of(const Group& g) {
    const uint64_t low = std::min(std::min(g[0], g[1]), std::min(g[2], g[3]));
    const uint64_t high = std::min(std::min(g[4], g[5]), std::min(g[6], g[7]));
    return std::min(low, high);
  }

  size_t count_;  // of groups
  std::array<Group, kMost / kGroup> groups_;
};

}  // namespace heddle
