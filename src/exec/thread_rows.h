// The threads of several groups by rows. What only computes (Context::computes_until) gives the same whoever else
// executes it at that time: where threads of one row are in several lists, executing it row by row for all of these is
// quicker than list by list.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "exec/lanes.h"

namespace heddle {

class ThreadRows {
 public:
  explicit ThreadRows(size_t rows) : masks_(rows) {}

  void clear() {
    for (const Lanes& row : rows_) masks_[row.first / kRow] = {};
    rows_.clear();
    first_ = UINT16_MAX;
    last_ = 0;
    apart_ = 0;
  }
  void add(const Lanes& lanes) {
    apart_ += lanes.is_row() ? kRowCost : lanes.mask.count();
    if (lanes.is_row()) {
      masks_[lanes.first / kRow] |= lanes.mask;
      note(lanes.first.value());
    } else if (lanes.mask.full()) {
      for (unsigned k = 0; k < kRow; ++k) put(lanes.threads[k]);
      for (unsigned k = 0; k < kRow; ++k) note(lanes.threads[k].value());
    } else {
      for_each_lane(lanes.mask, [&](unsigned k) {
        put(lanes.threads[k]);
        note(lanes.threads[k].value());
      });
    }
  }

  // In the order of threads; nobody is added after that.
  std::span<const Lanes> rows() {
    if (!rows_.empty()) return rows_;
    for (unsigned row = first_ / kRow; row <= last_ / kRow; ++row)
      if (!masks_[row].empty()) rows_.push_back({masks_[row], static_cast<Hw>(row * kRow), nullptr});
    return rows_;
  }
  // Is it quicker to execute something by rows than by the groups themselves?
  bool quicker() { return rows().size() * kRowCost < apart_; }

 private:
  static constexpr unsigned kRowCost = 4;  // that of so many threads of a list

  void put(Hw thread) { masks_[thread / kRow].add(thread % kRow); }
  void note(uint16_t thread) {
    first_ = std::min(first_, thread);
    last_ = std::max(last_, thread);
  }

  std::vector<LaneMask> masks_;  // by row
  std::vector<Lanes> rows_;      // those with threads, once they are asked for
  uint16_t first_ = UINT16_MAX, last_ = 0;
  size_t apart_ = 0;  // what the groups would cost by themselves
};

}  // namespace heddle
