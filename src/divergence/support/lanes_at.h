// The lanes of a row that have a value.
#pragma once

#include <array>

#include "exec/row/truth.h"

namespace heddle {

inline LaneMask lanes_at(const std::array<uint32_t, kRow>& values, uint32_t value) {
  uint32_t truth[kRow];
  for (unsigned lane = 0; lane < kRow; ++lane) truth[lane] = values[lane] == value ? ~0U : 0;
  return LaneMask(row_detail::bits_of(truth));
}

}  // namespace heddle
