// random: any of the ready warps, by a sequence of numbers that the key schedule_seed begins. For who wants to see what
// depends on the order (heddle run --schedules).
#pragma once

#include "config/config.h"
#include "schedule/scheduler.h"

namespace heddle {

class RandomOrder : public Scheduler {
 public:
  static constexpr Key kKeys[] = {
      {"schedule_seed", Key::Kind::Integer, "1", "random: what its sequence is made from", "0 1000000000"},
  };

  RandomOrder(const Host& host, const Config& config);
  WarpId choose(const WarpSet& ready) const override;
  void issued(WarpId warp) override;

 private:
  uint64_t state_;
};

}  // namespace heddle
