// What a warp that goes alone has executed before it is issued: where others could not tell.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"

namespace heddle {

struct LoneRun {
  static constexpr unsigned kMost = 96;  // slots

  // An instruction behind which the warp does not just go on to the next.
  struct Stop {
    Pc at, to, ask_at;  // Warp::ask_at, from there on
    uint8_t off;        // threads that its guard leaves out
    bool jumps;
  };
  std::array<Stop, 24> stops;
  unsigned stop_count = 0, next = 0;  // of these
  unsigned left = 0;                  // slots that had not been issued when it was counted last
};

}  // namespace heddle
