// Which sub-cores have warps that wait for registers, by row: those are asked again when one of the row comes back.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "divergence/warp.h"

namespace heddle {

class RegisterWaits {
 public:
  void note(const Warp& warp, unsigned sub_core) {
    const auto bit = static_cast<uint8_t>(1U << sub_core);
    if (warp.groups > 1 || warp.group.kind != Group::Kind::Rows) {  // of any rows
      anywhere_ |= bit;
      return;
    }
    if (by_row_.size() <= warp.group.row) by_row_.resize(warp.group.row + 1U);
    by_row_[warp.group.row] |= bit;
  }
  // A bit for each sub-core that waits for registers of these rows; they are forgotten.
  unsigned take(std::span<const uint16_t> rows) {
    unsigned waiting = std::exchange(anywhere_, 0);
    for (const uint16_t row : rows)
      if (row < by_row_.size()) waiting |= std::exchange(by_row_[row], 0);
    return waiting;
  }

 private:
  std::vector<uint8_t> by_row_;
  uint8_t anywhere_ = 0;
};

}  // namespace heddle
