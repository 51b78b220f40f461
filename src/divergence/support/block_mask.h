// A set of threads of one block, by their numbers in the block.
#pragma once

#include <array>

#include "base/lane_mask.h"
#include "base/types.h"

namespace heddle {

class BlockMask {
 public:
  static constexpr unsigned kRows = 32;  // 1024 threads, the most a block may have

  static BlockMask range(unsigned first, unsigned count) {
    BlockMask result;
    for (unsigned thread = first; thread < first + count; ++thread) result.add(thread);
    return result;
  }

  LaneMask row(unsigned index) const { return rows_[index]; }
  LaneMask& row(unsigned index) { return rows_[index]; }
  void add(unsigned thread) { rows_[thread / kRow].add(thread % kRow); }
  bool has(unsigned thread) const { return rows_[thread / kRow].has(thread % kRow); }
  bool empty() const {
    LaneMask any;  // of all, without a question for each
    for (const LaneMask row : rows_) any |= row;
    return any.empty();
  }
  unsigned count() const {
    unsigned sum = 0;
    for (LaneMask row : rows_) sum += row.count();
    return sum;
  }
  BlockMask without(const BlockMask& other) const {
    BlockMask result;
    for (unsigned i = 0; i < kRows; ++i) result.rows_[i] = rows_[i].without(other.rows_[i]);
    return result;
  }
  BlockMask& operator|=(const BlockMask& other) {
    for (unsigned i = 0; i < kRows; ++i) rows_[i] |= other.rows_[i];
    return *this;
  }
  bool operator==(const BlockMask&) const = default;

 private:
  std::array<LaneMask, kRows> rows_;
};

// Calls f(thread) for each thread of the set, lowest first.
template <class F>
inline void for_each_thread(const BlockMask& mask, F&& f) {
  for (unsigned i = 0; i < BlockMask::kRows; ++i)
    for_each_lane(mask.row(i), [&](unsigned lane) { f(i * kRow + lane); });
}

}  // namespace heddle
