// Warps that wait for registers, by row. Of many that ask most wait: they are not asked again before a register of
// their row comes back.
#pragma once

#include <span>
#include <vector>

#include "divergence/host.h"

namespace heddle {

class Sleepers {
 public:
  void put_to_sleep(Host& host, WarpId id) {
    const Warp& warp = host.warp(id);
    if (warp.groups > 1 || warp.group.kind != Group::Kind::Rows) return;
    if (by_row_.size() <= warp.group.row) by_row_.resize(warp.group.row + 1U);
    by_row_[warp.group.row].push_back(id);
    host.put_to_sleep(id);
  }
  void wake(Host& host, std::span<const uint16_t> rows) {
    if (by_row_.empty()) return;
    for (const uint16_t row : rows) {
      if (row >= by_row_.size()) continue;
      for (const WarpId id : by_row_[row]) host.wake(id);
      by_row_[row].clear();
    }
  }

 private:
  std::vector<std::vector<WarpId>> by_row_;
};

}  // namespace heddle
