// What greedy schedulers share: the warp issued last goes as long as it is ready. A warp that was opened in the place
// of the last one is another warp. Splits are as old as their parent, and among themselves as they were opened.
#pragma once

#include <utility>

#include "schedule/scheduler.h"

namespace heddle {

class Greedy : public Scheduler {
 public:
  using Scheduler::Scheduler;
  void issued(WarpId warp) override {
    last_ = warp;
    last_serial_ = host_.warp(warp).serial;
  }

 protected:
  bool last_goes_on(const WarpSet& ready) const {
    return ready.contains(last_) && host_.warp(last_).serial == last_serial_;
  }
  WarpId last() const { return last_; }
  static std::pair<uint64_t, uint64_t> age_of(const Warp& warp) { return {warp.age, warp.serial}; }

 private:
  WarpId last_ = kNoWarp;
  uint64_t last_serial_ = 0;
};

}  // namespace heddle
