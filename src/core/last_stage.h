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
    if (leaving_.size() >= kMany) drop_ended(now);
    const CoreCycle leaves = std::max(when, replies_until_);
    leaving_.push(leaves);
    return leaves;
  }

  // When an access that comes back now ends. Groups whose place it takes move on by one; `free`, from when on the
  // memory stage is, goes with the last of them.
  CoreCycle reply(CoreCycle now, CoreCycle& free) {
    drop_ended(now);
    CoreCycle end = std::max(now, replies_until_);
    size_t i = 0;
    for (; i < leaving_.size() && leaving_[i] < end; ++i)  // one that is there already stays
      if (end < leaving_[i] + interval_) end = leaving_[i] + interval_;
    CoreCycle taken = replies_until_ = end + interval_;
    for (; i < leaving_.size() && leaving_[i] < taken; ++i) {
      leaving_[i] = taken;
      taken += interval_;
    }
    free = std::max(free, taken - interval_);
    return end;
  }

 private:
  static constexpr size_t kMany = 8;  // few are under way: those that have ended may stay until there are so many

  void drop_ended(CoreCycle now) {
    while (!leaving_.empty() && leaving_.front() + interval_ <= now) leaving_.pop();
  }

  const unsigned interval_;
  Queue<CoreCycle> leaving_;    // groups, at least those that have not ended, in the order of these times
  CoreCycle replies_until_{0};  // accesses that have come back take the stage
};

}  // namespace heddle
