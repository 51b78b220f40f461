// What a warp that goes alone has executed before it is issued: where others could not tell.
#pragma once

#include <algorithm>
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

// Do warps that begin to go alone at some PC go far enough that it pays? Where they have not, it is tried again later.
class PaysAlone {
 public:
  bool asks() {
    if (score_ >= 0) return true;
    ++score_;
    return false;
  }
  void note(unsigned slots) {
    score_ = static_cast<int8_t>(slots < kFew ? score_ - 4 : std::min(score_ + 8, 32));
    if (score_ < 0) score_ = -64;
  }

 private:
  static constexpr unsigned kFew = 12;
  int8_t score_ = 0;
};

}  // namespace heddle
