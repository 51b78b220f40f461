// CAPRI's compaction-adequacy prediction table, the CAPT (Rhu and Erez, ISCA 2012, 3.1): was it worth waiting at this
// branch? Fully associative, the tag is the branch's PC; the row that was looked up longest ago gives way.
//
// A look-up that misses makes a row that says "adequate". An update for a branch that has no row is dropped, and does
// not count as use. Histories:
//   1b-latest   the last adequacy
//   1b-sticky   adequate from the first look-up until the row is gone
//   2b-counter  counts up and down between 0 and 3, begins at 2, adequate from 2 on
//   always, never  no history at all: the two ends between which a predictor lies
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace heddle {

class AdequacyTable {
 public:
  enum class History : uint8_t { Latest, Sticky, Counter, Always, Never };
  static History history_named(std::string_view name);
  struct Row {
    Pc branch;
    unsigned history;
    uint64_t used;  // when it was looked up last
  };

  AdequacyTable(size_t entries, History history) : entries_(entries), history_(history) {}  // 0 entries: no limit
  bool look_up(Pc branch);                                                                  // adequate?
  void update(Pc branch, bool adequate);
  bool has(Pc branch) const;
  bool adequate(const Row& row) const { return row.history >= (history_ == History::Counter ? 2U : 1U); }

  std::span<const Row> rows() const { return rows_; }
  uint64_t bits() const;  // of one row: tag, valid, history
  uint64_t lookups() const { return lookups_; }
  uint64_t misses() const { return misses_; }
  uint64_t evictions() const { return evictions_; }
  size_t most_rows() const { return most_rows_; }

 private:
  unsigned first() const;  // history of a new row

  const size_t entries_;
  const History history_;
  std::vector<Row> rows_;
  uint64_t lookups_ = 0, misses_ = 0, evictions_ = 0;
  size_t most_rows_ = 0;
};

}  // namespace heddle
