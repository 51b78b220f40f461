// gty: the warp issued last as long as it is ready, else the youngest: the order that measurement finds on NVIDIA's
// cores (Huerta et al., MICRO 2025).
#pragma once

#include "schedule/greedy.h"

namespace heddle {

class GreedyThenYoungest : public Greedy {
 public:
  using Greedy::Greedy;
  WarpId choose(const WarpSet& ready) const override;
};

}  // namespace heddle
