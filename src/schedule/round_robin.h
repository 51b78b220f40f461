// rr: the next ready warp after the last one issued, by slot. `lrr` (loose round robin) is the same rule under the
// name other simulators use; the strictness of the large-warp paper is its barrel pipeline, not its round robin.
#pragma once

#include "schedule/scheduler.h"

namespace heddle {

class RoundRobin : public Scheduler {
 public:
  size_t choose(std::span<const Candidate> ready) override;

 private:
  uint32_t last_ = UINT32_MAX;  // slot; before the first issue every slot comes after it
};

}  // namespace heddle
