// What one core tells of its clock: instructions that complete, cycles without an issue, accesses to memory
// (divergence/observer.h). A core has one only where somebody wants to hear of these.
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

  // A group of an instruction goes.
  void issued(WarpId warp, Pc pc, FlightId flight, Unit unit, bool first);
  Pc taker_of(Unit unit) const { return unit_taken_by_[static_cast<size_t>(unit)]; }
  void completed(FlightId id, const Flight& flight, CoreCycle now);
  // Groups come to the memory stage and are served in the same order; those of other instructions (`flight` has
  // touched no memory) may be between them.
  void comes(FlightId flight, const Access& access);
  void served(const StageGroup& group, const Flight& flight);

  // What may end a wait beside them.
  void lanes_returned(Pc pc, WarpId warp, CoreCycle now) { wakes({IdleCause::Memory, pc, warp, now}); }
  void fetched(CoreCycle now) { wakes({IdleCause::Fetch, kNoPc, kNoWarp, now}); }
  void block_started(CoreCycle now) { wakes({IdleCause::NoWarp, kNoPc, kNoWarp, now}); }

  // No issue in these cycles; from `port_free` on the port would have taken one. `resident`: there was a block.
  void passed(CoreCycle from, CoreCycle to, IdleClass in, CoreCycle port_free, bool resident);
  // Of the next cycles of class Stall.
  void stalls(IdleCause cause, Pc held_by) { stall_ = {cause, held_by, kNoWarp, CoreCycle{0}}; }
  // The warp's instruction goes: the wait, if there was one, is over. So it is where the launch is (kNoWarp).
  void end_wait(WarpId warp, Pc pc);

 private:
  struct Reason {
    IdleCause cause = IdleCause::Other;
    Pc pc = kNoPc;
    WarpId warp = kNoWarp;
    CoreCycle when{0};
  };
  struct Span {
    Idled what;
    bool known;  // its cause
  };
  struct Started {
    CoreCycle when;
    BlockId block;
  };
  void wakes(const Reason& reason);
  void charge(const Reason& reason);  // what has no cause yet
  void add(CoreCycle from, CoreCycle to, IdleClass in, const Reason* reason);
  Pc crowded_barrier() const;
  const Reason& end_of_wait(WarpId goes) const;

  const Host& host_;
  std::array<Pc, kUnits> unit_taken_by_{};
  std::vector<Started> started_;  // by flight
  Queue<Accessed> accesses_;      // that have come and are not served
  std::vector<Span> spans_;       // of this wait
  std::vector<Reason> wakes_;     // in the last cycle in which there were any
  Reason stall_;
};

}  // namespace heddle
