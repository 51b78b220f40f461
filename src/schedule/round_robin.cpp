#include "schedule/round_robin.h"

namespace heddle {

WarpId RoundRobin::choose(const WarpSet& ready) const { return circle_.next_round(next_, ready); }
WarpId RoundRobin::choose_again(const WarpSet& ready) const { return circle_.next_of_same(next_, ready); }

}  // namespace heddle
