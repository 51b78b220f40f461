// The last stage of a shared pipeline (reply_slots): what leaves the memory stage and what comes back from memory end
// here, one of them in the time of a warp instruction. An access that has come back goes first: a group that would
// leave waits in the memory stage, and all behind it. A group whose end was told before is not told again, only those
// behind it.
#pragma once

#include <algorithm>

#include "base/types.h"
#include "core/queue.h"

namespace heddle {

class LastStage {
 public:
  explicit LastStage(unsigned interval) : interval_(interval) {}

  // When a group leaves the memory stage that could at `when`.
  [[gnu::always_inline]] CoreCycle leave(CoreCycle when, CoreCycle now) {
    while (!leaving_.empty() && leaving_.front() + interval_ <= now) leaving_.pop();
    leaving_.push(std::max(when, replies_until_));
    return leaving_[leaving_.size() - 1];
  }

  // When an access that comes back now ends. Groups whose place it takes move on by one; `free`, from when on the
  // memory stage is, goes with the last of them.
  CoreCycle reply(CoreCycle now, CoreCycle& free) {
    CoreCycle end = std::max(now, replies_until_);
    for (size_t i = 0; i < leaving_.size(); ++i)  // one that is there already stays
      if (leaving_[i] < end && end < leaving_[i] + interval_) end = leaving_[i] + interval_;
    CoreCycle taken = replies_until_ = end + interval_;
    for (size_t i = 0; i < leaving_.size(); ++i) {
      CoreCycle& leaves = leaving_[i];
      if (leaves < end || leaves >= taken) continue;
      leaves = taken;
      taken += interval_;
    }
    free = std::max(free, taken - interval_);
    return end;
  }

 private:
  const unsigned interval_;
  Queue<CoreCycle> leaving_;    // groups that have not ended, in order
  CoreCycle replies_until_{0};  // accesses that have come back take the stage
};

}  // namespace heddle
