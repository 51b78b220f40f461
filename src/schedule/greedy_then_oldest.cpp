#include "schedule/greedy_then_oldest.h"

namespace heddle {

size_t GreedyThenOldest::choose(std::span<const Candidate> ready) {
  size_t chosen = 0;
  for (size_t i = 0; i < ready.size(); ++i) {
    if (ready[i].age == last_age_) return i;
    if (ready[i].age < ready[chosen].age) chosen = i;
  }
  last_age_ = ready[chosen].age;
  return chosen;
}

}  // namespace heddle
