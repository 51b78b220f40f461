// A core's way out to the memory system. Lines that are written back wait here when there is no room, and go first.
#pragma once

#include "core/queue.h"
#include "memory/memory_system.h"

namespace heddle {

class Outlet {
 public:
  Outlet(MemorySystem& memory, const Clock<CoreCycle>& clock, unsigned core)
      : memory_(memory), clock_(clock), core_(static_cast<uint16_t>(core)) {}

  bool room() const { return waiting_.empty() && memory_.room(core_); }
  void send(Request request, CoreCycle now) {
    request.core = core_;
    ++sent_;
    unanswered_ += request.is_answered();
    memory_.send(request, clock_.time(now));
  }
  void send_later(const Request& request) { waiting_.push(request); }
  void drain(CoreCycle now) {
    while (!waiting_.empty() && memory_.room(core_)) {
      send(waiting_.front(), now);
      waiting_.pop();
    }
  }
  bool sends_code_apart() const { return memory_.has_code_caches(); }  // it needs no room then
  size_t waiting() const { return waiting_.size(); }
  bool waits() const { return !waiting_.empty(); }
  void answered() { --unanswered_; }
  uint64_t unanswered() const { return unanswered_; }
  uint64_t sent() const { return sent_; }

 private:
  MemorySystem& memory_;
  const Clock<CoreCycle> clock_;
  const uint16_t core_;
  Queue<Request> waiting_;
  uint64_t sent_ = 0;        // requests,
  uint64_t unanswered_ = 0;  // and those that are under way
};

}  // namespace heddle
