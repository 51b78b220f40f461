// gto: the warp issued last as long as it is ready, else the oldest. Ties cannot be: ages differ.
#pragma once

#include "schedule/scheduler.h"

namespace heddle {

class GreedyThenOldest : public Scheduler {
 public:
  size_t choose(std::span<const Candidate> ready) override;

 private:
  uint64_t last_age_ = UINT64_MAX;
};

}  // namespace heddle
