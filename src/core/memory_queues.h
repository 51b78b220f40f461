// Memory instructions of each sub-core on their way to the memory stage, which all share: first in, first out for each,
// so many at most. A sub-core's address unit works on the first of its queue, which leaves it when the stage takes it;
// `address_interval` cycles later the next may go. The stage takes the one that could go first; of several those of the
// sub-core behind the last it took from.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/stage_group.h"

namespace heddle {

class MemoryQueues {
 public:
  // No places: there are none of these.
  MemoryQueues(unsigned sub_cores, unsigned places, unsigned address_interval)
      : places_(places), interval_(address_interval), queues_(places > 0 ? sub_cores : 0) {
    able_.fill(kNever);
  }

  bool used() const { return !queues_.empty(); }
  bool empty() const { return next_ == kNever; }
  bool full(unsigned sub_core) const { return queues_[sub_core].groups.size() >= places_; }

  // A group that could be in the stage from `ready` on.
  StageGroup& append(unsigned sub_core, CoreCycle ready) {
    Waiting& queue = queues_[sub_core];
    StageGroup& group = append_to(queue.groups);
    group.ready = ready;
    if (able_[sub_core] == kNever) {
      able_[sub_core] = std::max(ready, queue.free);
      find_first();
    }
    return group;
  }
  CoreCycle next() const { return next_; }  // when the first of all can go; kNever: there is none
  // That one goes into the stage.
  void take(Queue<StageGroup>& stage, CoreCycle now) {
    last_ = first_;
    Waiting& from = queues_[last_];
    std::swap(stage.append(), from.groups.front());
    from.groups.pop();
    from.free = now + interval_;
    able_[last_] = from.groups.empty() ? CoreCycle(kNever) : std::max(from.groups.front().ready, from.free);
    find_first();
  }

 private:
  struct Waiting {
    Queue<StageGroup> groups;
    CoreCycle free{0};  // the address unit's
  };
  void find_first() {
    const size_t last = queues_.size() - 1;  // their number is a power of two
    next_ = kNever;
    for (size_t i = 1; i <= queues_.size(); ++i)
      if (const size_t queue = (last_ + i) & last; able_[queue] < next_) {
        first_ = queue;
        next_ = able_[queue];
      }
  }

  const size_t places_;
  const unsigned interval_;
  std::vector<Waiting> queues_;
  std::array<CoreCycle, kMostSubCores> able_;  // by queue: when its first can go; kNever: it has none
  size_t first_ = 0, last_ = 0;                // of all, and the queue from which one went last
  CoreCycle next_ = kNever;
};

}  // namespace heddle
