// gto: the warp issued last as long as it is ready, else the oldest. Splits are as old as their parent, and
// among themselves as they were opened. A warp that was opened in the place of the last one is another warp.
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
  uint64_t last_serial_ = 0;
};

}  // namespace heddle
