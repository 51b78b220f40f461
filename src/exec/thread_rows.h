// The threads of several groups by rows. What only computes (Context::computes_until) gives the same whoever else
// executes it at that time: where threads of one row are in several lists, executing it row by row for all of these is
// quicker than list by list.
#pragma once

#include <algorithm>
#include <climits>
#include <span>
#include <vector>

#include "exec/row/level.h"

namespace heddle {

class ThreadRows {
 public:
  explicit ThreadRows(size_t rows) : masks_(rows), rows_(rows + 1) {}

  void clear() {
    for (const Lanes& row : known()) masks_[row.first / kRow] = {};
    count_ = 0;
    first_ = UINT_MAX;
    last_ = 0;
    apart_ = 0;
  }
  void add(const Lanes& lanes) {
    const unsigned row = lanes.first / kRow;
    RowRange met{row, row};
    if (lanes.is_row())
      masks_[row] |= lanes.mask;
    else
      met = row_level().forms.add(masks_.data(), lanes.mask, lanes.threads);
    first_ = std::min(first_, met.first);
    last_ = std::max(last_, met.last);
    apart_ += lanes.is_row() ? kRowCost : lanes.mask.count();
  }

  // Becomes these, by row; nobody is added after that.
  void assign(std::span<const LaneMask> masks) {
    clear();
    for (size_t row = 0; row < masks.size(); ++row) put(row, masks[row]);
  }

  // In the order of threads; nobody is added after that.
  std::span<const Lanes> rows() {
    if (count_ > 0) return known();
    for (unsigned row = first_; row <= last_; ++row) put(row, masks_[row]);
    return known();
  }
  // Is it quicker to execute something by rows than by the groups themselves?
  bool quicker() { return quicker_than(apart_); }
  bool quicker_than(size_t threads) { return rows().size() * kRowCost < threads; }  // of lists

 private:
  static constexpr unsigned kRowCost = 4;  // that of so many threads of a list

  std::span<const Lanes> known() const { return {rows_.data(), count_}; }
  // Without a question for each: who has no threads is written over.
  void put(size_t row, LaneMask mask) {
    rows_[count_] = {mask, static_cast<Hw>(row * kRow), nullptr};
    count_ += mask.empty() ? 0 : 1;
  }

  std::vector<LaneMask> masks_;  // by row
  std::vector<Lanes> rows_;      // those with threads, once they are asked for: so many
  size_t count_ = 0;
  unsigned first_ = UINT_MAX, last_ = 0;
  size_t apart_ = 0;  // what the groups would cost by themselves
};

}  // namespace heddle
