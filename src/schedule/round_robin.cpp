#include "schedule/round_robin.h"

namespace heddle {

WarpId RoundRobin::choose(const WarpSet& ready) const {
  const WarpId next = ready.next_from(next_);
  return next != kNoWarp ? next : ready.next_from(0);
}

}  // namespace heddle
