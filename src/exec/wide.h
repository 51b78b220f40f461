// A value of 128 bits.
#pragma once

#include <cstdint>

namespace heddle {

struct Wide {
  uint64_t low = 0, high = 0;
  bool operator==(const Wide&) const = default;
};

}  // namespace heddle
