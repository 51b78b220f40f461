#include "divergence/mechanisms/swi.h"

#include <algorithm>

namespace heddle {

// pick() counts places.
std::optional<Pc> Swi::goes_on(WarpId id, Pc pc) const {
  return of(id).waiting.size() + 1 > most_ ? std::nullopt : Stackless::goes_on(id, pc);
}

void Swi::pick(StaticWarp& threads) {
  fit_.regroups(threads.warp);
  most_ = std::max(most_, threads.waiting.size());
  Stackless::pick(threads);
}

StateCost Swi::cost() const {
  // A PC and a mask per place, in order.
  return {static_cast<unsigned>(most_), most_ * (uint64_t{32} + host_.warp_size()), false};
}

}  // namespace heddle
