// A few cycles side by side, one per part or bank, and the questions asked of all of them at every step. They stand in
// groups of eight, filled up with kNever, so that compilers turn the loops into straight code without branches.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/clock.h"

namespace heddle {

class Cycles {
 public:
  explicit Cycles(size_t count) : groups_((count + kGroup - 1) / kGroup) {
    for (Group& group : groups_) group.fill(kNever);
  }

  Cycle operator[](size_t i) const { return groups_[i / kGroup][i % kGroup]; }
  void set(size_t i, Cycle cycle) { groups_[i / kGroup][i % kGroup] = cycle; }

  Cycle least() const {
    Cycle least = kNever;
    for (const Group& group : groups_) least = std::min(least, least_of(group));
    return least;
  }
  // The least of the values whose cycles are not behind `now`; kNever: there is none.
  uint64_t least_where_due(const Cycles& values, Cycle now) const {
    uint64_t least = kNever;
    for (size_t i = 0; i < groups_.size(); ++i) {
      Group due = values.groups_[i];
      for (size_t k = 0; k < kGroup; ++k) due[k] |= uint64_t{0} - uint64_t{groups_[i][k] > now};
      least = std::min(least, least_of(due));
    }
    return least;
  }
  // Those that are not behind `now`, of the first 64.
  uint64_t due(Cycle now) const {
    uint64_t mask = 0;
    for (size_t i = 0; i < groups_.size(); ++i) {
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

  std::vector<Group> groups_;
};

}  // namespace heddle
