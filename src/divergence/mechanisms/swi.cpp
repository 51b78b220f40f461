#include "divergence/mechanisms/swi.h"

#include <algorithm>

namespace heddle {

void Swi::pick(StaticWarp& threads) {
  most_ = std::max(most_, threads.waiting.size());
  Stackless::pick(threads);
}

StateCost Swi::cost() const {
  // A PC and a mask per place, in order.
  return {static_cast<unsigned>(most_), most_ * (uint64_t{32} + host_.warp_size()), false};
}

}  // namespace heddle
