#include "schedule/round_robin.h"

namespace heddle {

WarpId RoundRobin::choose(const WarpSet& ready) const {
  const WarpId next = host_.next_from(next_, ready);
  return next != kNoWarp ? next : host_.next_from(0, ready);
}

}  // namespace heddle
