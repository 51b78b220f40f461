// Which registers wait for instructions under way, by row of 32 threads: regrouped warps read rows of several static
// warps, so rows, not warps, are what must be remembered. It is precise to the lane where splits of one warp issue
// independently (Traits::splits); else whole rows wait for any of their threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/flights.h"
#include "divergence/host.h"
#include "program/register_uses.h"

namespace heddle {

class Scoreboard {
 public:
  Scoreboard(const RegisterUses& uses, bool lanes) : uses_(uses), lanes_(lanes) {}
  bool free(Pc pc, const Group& group) const;      // no register of the instruction is waited for by the group
  LaneMask able(Pc pc, const Group& group) const;  // lanes of a row group for which that is so
  Wait wait_of(Pc pc, const Group& group, const Flights& flights) const;
  void take(FlightId flight, Pc pc, const Group& group);
  // The instruction is done, but for what it reads: who waits for its results waits for that.
  void pass_on(Pc pc, const Group& group);
  void release(FlightId flight);
  void release(FlightId flight, const Group& part);           // these threads have what they wait for
  std::span<const uint16_t> rows_of(FlightId flight) const {  // rows in which it is waited for
    return flight < rows_.size() ? std::span<const uint16_t>(rows_[flight]) : std::span<const uint16_t>();
  }

 private:
  struct Waiting {
    uint32_t at;  // register
    LaneMask lanes;
    FlightId flight;
  };
  bool row_free(Pc pc, uint16_t row, LaneMask lanes) const;
  template <class F>
  void for_each_row(const Group& group, F&& f) const;
  template <class F>
  void for_each_wait(Pc pc, const Group& group, F&& f) const;  // f(flight) of what the group waits for

  const RegisterUses& uses_;
  const bool lanes_;                           // precise to the lane
  std::vector<std::vector<Waiting>> waiting_;  // by row
  std::vector<std::vector<uint16_t>> rows_;    // by flight
};

}  // namespace heddle
