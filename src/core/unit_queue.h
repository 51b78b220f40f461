// Instructions of a sub-core that wait in front of a unit. The first of them goes when the unit is free and the port
// issues nothing: it reads its registers then, and what the port issues comes before it.
#pragma once

#include "core/flights.h"
#include "core/queue.h"

namespace heddle {

class UnitQueue {
 public:
  struct Entry {
    enum class For : uint8_t { Nobody, Flight, Step };  // who waits for its result
    For result = For::Nobody;
    uint8_t number = 0;     // Step: among the sequence's, from 0 on
    uint16_t busy = 0;      // cycles for which it takes the unit
    uint16_t latency = 0;   // cycles from when it goes until its result is there
    CoreCycle since{0};     // it may go from then on
    WarpId warp{0};         // Step
    FlightId flight = 0;    // Flight
    uint64_t sequence = 0;  // Step
  };

  explicit UnitQueue(unsigned places) : places_(places) {}
  bool empty() const { return waiting_.empty(); }
  bool full() const { return waiting_.size() >= places_; }
  void push(const Entry& entry) { waiting_.push(entry); }
  // When the first of them can go, if the port lets it.
  CoreCycle next() const { return std::max(unit_free_, waiting_.front().since); }
  Entry take(CoreCycle now) {
    const Entry entry = waiting_.front();
    waiting_.pop();
    unit_free_ = now + entry.busy;
    return entry;
  }

 private:
  const size_t places_;
  Queue<Entry> waiting_;
  CoreCycle unit_free_{0};
};

}  // namespace heddle
