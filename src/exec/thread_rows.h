// The threads of several groups by rows. What only computes (Context::computes_until) is the same whoever else executes
// it at that time: where threads of one row are in several lists, executing it row by row for all of these is quicker
// than list by list.
#pragma once

#include <vector>

#include "exec/lanes.h"

namespace heddle {

class ThreadRows {
 public:
  explicit ThreadRows(size_t rows) : masks_(rows) {}

  void clear() {
    for (const unsigned row : rows_) masks_[row] = {};
    rows_.clear();
    apart_ = 0;
  }
  void add(const Lanes& lanes) {
    apart_ += lanes.is_row() ? kRowCost : lanes.mask.count();
    if (lanes.is_row()) return add(lanes.first / kRow, lanes.mask);
    for_each_lane(lanes.mask,
                  [&](unsigned k) { add(lanes.threads[k] / kRow, LaneMask::of(lanes.threads[k] % kRow)); });
  }
  bool quicker() const { return rows_.size() * kRowCost < apart_; }

  template <class F>
  void for_each(F&& f) const {
    for (const unsigned row : rows_) f(Lanes{masks_[row], static_cast<Hw>(row * kRow), nullptr});
  }

 private:
  static constexpr unsigned kRowCost = 4;  // that of so many threads of a list

  void add(unsigned row, LaneMask mask) {
    if (masks_[row].empty()) rows_.push_back(row);
    masks_[row] |= mask;
  }

  std::vector<LaneMask> masks_;  // by row
  std::vector<unsigned> rows_;   // that have threads
  size_t apart_ = 0;             // what the groups would cost by themselves
};

}  // namespace heddle
