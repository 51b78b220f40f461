// rr: the next ready warp after the last one issued, in the order of the warp table. `lrr` (loose round robin) is the
// same rule under the name other simulators use; the strictness of the large-warp paper is its barrel pipeline, not its
// round robin.
#pragma once

#include "schedule/circle.h"
#include "schedule/scheduler.h"

namespace heddle {

class RoundRobin final : public Scheduler {
 public:
  explicit RoundRobin(const Host& host) : Scheduler(host), circle_(host) {}
  WarpId choose(const WarpSet& ready) const override {
    return host_.has_splits() ? circle_.next_round(next_, ready) : host_.next_round(next_, ready);
  }
  std::span<const uint32_t> choose_round(const WarpSet& ready) override { return circle_.rest_of_round(next_, ready); }
  void issued(WarpId warp) override { next_ = host_.position_after(warp); }

 private:
  uint32_t next_ = 0;  // Host::position_after
  mutable Circle circle_;
};

}  // namespace heddle
