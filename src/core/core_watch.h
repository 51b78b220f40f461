// What one core tells of its instructions under way: those that complete, and accesses to memory
// (divergence/observer.h). A core has one only where somebody wants to hear of its clock.
#pragma once

#include <array>
#include <vector>

#include "core/flights.h"
#include "core/stage_group.h"
#include "divergence/host.h"

namespace heddle {

class CoreWatch {
 public:
  static bool wanted(const Host& host) {
    return host.watch.wants(Observer::kFlights | Observer::kIdle | Observer::kAccesses);
  }
  explicit CoreWatch(const Host& host) : host_(host) {}

  void begins(FlightId flight, WarpId warp);  // its first group goes
  void went_along(WarpId warp, Pc pc);        // as a part of another instruction, in no time
  void completed(FlightId id, const Flight& flight);
  // Groups of a sub-core come to the memory stage and are served in the same order; those of other instructions
  // (`flight` has touched no memory) may be between them.
  void comes(FlightId id, const Flight& flight, const Access& access);
  void served(const StageGroup& group, const Flight& flight);

 private:
  struct Started {
    CoreCycle when;
    BlockId block;
  };

  const Host& host_;
  std::vector<Started> started_;                         // by flight
  std::array<Queue<Accessed>, kMostSubCores> accesses_;  // that have come and are not served
};

}  // namespace heddle
