// gtr: the warp issued last as long as it is ready, else the next one after it, in the order of the warp table.
#pragma once

#include "schedule/greedy.h"

namespace heddle {

class GreedyThenNext : public Greedy {
 public:
  using Greedy::Greedy;
  WarpId choose(const WarpSet& ready) const override;
  void issued(WarpId warp) override;

 private:
  uint32_t next_ = 0;  // Host::position_after
};

}  // namespace heddle
