#include "schedule/round_robin.h"

namespace heddle {

WarpId RoundRobin::choose(const WarpSet& ready) const { return circle_.next_round(next_, ready); }

}  // namespace heddle
