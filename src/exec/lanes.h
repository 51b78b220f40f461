// The threads one instruction acts on: a row of 32 neighbours with a mask, or a list of up to 32 threads.
#pragma once

#include <array>

#include "base/lane_mask.h"
#include "base/types.h"

namespace heddle {

// A list by the rows that its threads are of, where each stands at its own place in its row, and the rows are few.
class ListRows {
 public:
  struct Part {
    Hw first{0};
    LaneMask mask;
  };
  // Of 32 threads, of which those in the mask count. False: there is no such thing.
  bool find(const Hw* threads, LaneMask mask);
  unsigned count() const { return count_; }
  const Part* begin() const { return part_.data(); }
  const Part* end() const { return part_.data() + count_; }

 private:
  static constexpr unsigned kMost = 6;  // of more rows threads are quicker one by one

  std::array<Part, kMost> part_;
  unsigned count_ = 0;
};

struct Lanes {
  LaneMask mask;                   // who acts: lanes of the row, or positions in the list
  Hw first{0};                     // row: the thread of bit 0
  const Hw* threads = nullptr;     // list: the thread of each bit
  const ListRows* rows = nullptr;  // list: the same threads by rows, if that is known

  bool is_row() const { return threads == nullptr; }
  Hw thread(unsigned i) const { return threads ? threads[i] : static_cast<Hw>(first + i); }
};

// Calls f(lanes) for each row of a list whose rows are known.
template <class F>
inline void row_by_row(const Lanes& list, F&& f) {
  for (const ListRows::Part& part : *list.rows)
    if (const LaneMask mask = part.mask & list.mask; !mask.empty()) f(Lanes{mask, part.first});
}

}  // namespace heddle
