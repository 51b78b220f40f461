// What one issue port tells of the cycles in which it issued nothing (Idled, divergence/observer.h): which they were,
// and what they were waited for. A port has one only where somebody wants to hear of its core's clock.
#pragma once

#include <array>
#include <vector>

#include "divergence/host.h"
#include "program/unit.h"

namespace heddle {

class PortWatch {
 public:
  // What may end a wait: a completion, data for some lanes, a fetch, a block that starts.
  struct Reason {
    IdleCause cause = IdleCause::Other;
    Pc pc = kNoPc;
    WarpId warp = kNoWarp;
    CoreCycle when{0};
  };

  PortWatch(const Host& host, unsigned port) : host_(host), port_(port) {}

  void takes(Unit unit, Pc pc) { unit_taken_by_[static_cast<size_t>(unit)] = pc; }
  Pc taker_of(Unit unit) const { return unit_taken_by_[static_cast<size_t>(unit)]; }
  void wakes(const Reason& reason);
  // No issue in these cycles; from `port_free` on the port would have taken one. `resident`: there was a block.
  void passed(CoreCycle from, CoreCycle to, IdleClass in, CoreCycle port_free, bool resident);
  // Of the next cycles of class Stall.
  void stalls(IdleCause cause, Pc held_by) { stall_ = {cause, held_by, kNoWarp, CoreCycle{0}}; }
  // The warp's instruction goes: the wait, if there was one, is over. So it is where the launch is (kNoWarp).
  void end_wait(WarpId warp, Pc pc);

 private:
  struct Span {
    Idled what;
    bool known;  // its cause
  };
  void charge(const Reason& reason);  // what has no cause yet
  void add(CoreCycle from, CoreCycle to, IdleClass in, const Reason* reason);
  Pc crowded_barrier() const;
  const Reason& end_of_wait(WarpId goes) const;

  const Host& host_;
  const unsigned port_;
  std::array<Pc, kUnits> unit_taken_by_{};
  std::vector<Span> spans_;    // of this wait
  std::vector<Reason> wakes_;  // in the last cycle in which there were any
  Reason stall_;
};

}  // namespace heddle
