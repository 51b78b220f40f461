// The last times of a sequence in which each is not before the one before it.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "base/types.h"

namespace heddle {

class LastTimes {
 public:
  explicit LastTimes(size_t most) : times_(std::bit_ceil(most), CoreCycle{0}), mask_(times_.size() - 1) {}

  void push(CoreCycle time) { times_[end_++ & mask_] = time; }
  // The last is the first; none of `most` is asked for beyond. Cycle 0: there were not so many.
  CoreCycle last(size_t which) const { return times_[(end_ - which) & mask_]; }

 private:
  std::vector<CoreCycle> times_;
  const size_t mask_;
  size_t end_ = 0;
};

}  // namespace heddle
