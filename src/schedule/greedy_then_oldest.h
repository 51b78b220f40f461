// gto: the warp issued last as long as it is ready, else the oldest.
#pragma once

#include "schedule/greedy.h"

namespace heddle {

class GreedyThenOldest : public Greedy {
 public:
  using Greedy::Greedy;
  WarpId choose(const WarpSet& ready) const override;
};

}  // namespace heddle
