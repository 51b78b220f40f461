// gto: the warp issued last as long as it is ready, else the oldest. Ties cannot be: ages differ. A warp that was
// opened in the slot of the last one is another warp.
#pragma once

#include "schedule/scheduler.h"

namespace heddle {

class GreedyThenOldest : public Scheduler {
 public:
  using Scheduler::Scheduler;
  WarpId choose(const WarpSet& ready) const override;
  void issued(WarpId warp) override;

 private:
  WarpId last_ = kNoWarp;
  uint64_t last_age_ = 0;
};

}  // namespace heddle
