#include "schedule/round_robin.h"

namespace heddle {

size_t RoundRobin::choose(std::span<const Candidate> ready) {
  size_t chosen = 0;  // wraps around to the first
  for (size_t i = 0; i < ready.size() && last_ != UINT32_MAX; ++i)
    if (ready[i].warp > last_) {
      chosen = i;
      break;
    }
  last_ = ready[chosen].warp;
  return chosen;
}

}  // namespace heddle
