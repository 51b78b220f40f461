// Memory instructions of each sub-core on their way to the memory stage, which all share: first in, first out for each,
// so many at most. A sub-core's address unit works on the first of its queue, which leaves it when the stage takes it;
// `address_interval` cycles later the next may go. The stage takes the one that could go first; of several those of the
// sub-core behind the last it took from.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/stage_group.h"

namespace heddle {

class MemoryQueues {
 public:
  // No places: there are none of these.
  MemoryQueues(unsigned sub_cores, unsigned places, unsigned address_interval)
      : places_(places), interval_(address_interval), queues_(places > 0 ? sub_cores : 0) {}

  bool used() const { return !queues_.empty(); }
  bool empty() const { return waiting_ == 0; }
  bool full(unsigned sub_core) const { return queues_[sub_core].groups.size() >= places_; }

  StageGroup& append(unsigned sub_core) {
    ++waiting_;
    return append_to(queues_[sub_core].groups);
  }
  // What follows the one that went last, in its queue; null: nothing.
  StageGroup* behind_last() {
    return queues_.empty() || queues_[last_].groups.empty() ? nullptr : &queues_[last_].groups.front();
  }
  // When the first of all can go; kNever: there is none.
  CoreCycle next() const { return empty() ? kNever : able(first()); }
  // That one goes into the stage.
  void take(Queue<StageGroup>& stage, CoreCycle now) {
    last_ = first();
    Waiting& from = queues_[last_];
    std::swap(stage.append(), from.groups.front());
    from.groups.pop();
    from.free = now + interval_;
    --waiting_;
  }

 private:
  struct Waiting {
    Queue<StageGroup> groups;
    CoreCycle free{0};  // the address unit's
  };
  CoreCycle able(size_t queue) const {
    const Waiting& waiting = queues_[queue];
    return waiting.groups.empty() ? kNever : std::max(waiting.groups.front().ready, waiting.free);
  }
  size_t first() const {
    size_t first = last_;
    for (size_t i = 1; i <= queues_.size(); ++i) {
      const size_t other = (last_ + i) % queues_.size();
      if (i == 1 || able(other) < able(first)) first = other;
    }
    return first;
  }

  const size_t places_;
  const unsigned interval_;
  std::vector<Waiting> queues_;
  size_t waiting_ = 0;  // in all
  size_t last_ = 0;
};

}  // namespace heddle
