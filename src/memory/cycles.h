// A few cycles side by side, one per part or bank, and the questions asked of all of them at every step. They stand in
// groups of eight, filled up with kNever, so that compilers turn the loops into straight code without branches.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "memory/clock.h"

namespace heddle {

class Cycles {
 public:
  static constexpr size_t kMost = 64;
  explicit Cycles(size_t count) : count_((count + kGroup - 1) / kGroup) {
    require(count > 0 && count <= kMost, "so many do not stand side by side");
    for (Group& group : groups_) group.fill(kNever);
  }

  Cycle operator[](size_t i) const { return groups_[i / kGroup][i % kGroup]; }
  void set(size_t i, Cycle cycle) { groups_[i / kGroup][i % kGroup] = cycle; }

  Cycle least() const {
    Cycle least = least_of(groups_[0]);
    for (size_t i = 1; i < count_; ++i) least = std::min(least, least_of(groups_[i]));
    return least;
  }
  // The least of the values whose cycles are not behind `now`; kNever: there is none.
  uint64_t least_where_due(const Cycles& values, Cycle now) const {
    uint64_t least = kNever;
    for (size_t i = 0; i < count_; ++i) {
      Group due = values.groups_[i];
      for (size_t k = 0; k < kGroup; ++k) due[k] |= uint64_t{0} - uint64_t{groups_[i][k] > now};
      least = std::min(least, least_of(due));
    }
    return least;
  }
  // Those that are not behind `now`, as bits.
  uint64_t due(Cycle now) const {
    uint64_t mask = 0;
    for (size_t i = 0; i < count_; ++i) {
      uint64_t bits = 0;
      for (size_t k = 0; k < kGroup; ++k) bits |= uint64_t{groups_[i][k] <= now} << k;
      mask |= bits << i * kGroup;
    }
    return mask;
  }

 private:
  static constexpr size_t kGroup = 8;
  using Group = std::array<Cycle, kGroup>;

  static Cycle least_of(const Group& g) {
    const Cycle low = std::min(std::min(g[0], g[1]), std::min(g[2], g[3]));
    const Cycle high = std::min(std::min(g[4], g[5]), std::min(g[6], g[7]));
    return std::min(low, high);
  }

  size_t count_;  // of groups
  std::array<Group, kMost / kGroup> groups_;
};

}  // namespace heddle
