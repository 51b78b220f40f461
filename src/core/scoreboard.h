// Which registers wait for instructions under way, by row of 32 threads: regrouped warps read rows of several static
// warps, so rows, not warps, are what must be remembered. Whole rows wait for any of their threads.
#pragma once

#include <cstdint>
#include <vector>

#include "core/flights.h"
#include "divergence/warp.h"
#include "program/kernel.h"

namespace heddle {

// What each instruction of a kernel reads and writes: offsets of registers.
struct RegisterUses {
  explicit RegisterUses(const Kernel& kernel);
  std::vector<std::vector<uint32_t>> used, written;  // by PC; used: read or written
};

class Scoreboard {
 public:
  explicit Scoreboard(const RegisterUses& uses) : uses_(uses) {}
  bool free(Pc pc, const Group& group) const;  // no register of the instruction is waited for in the group's rows
  void take(FlightId flight, Pc pc, const Group& group);
  void release(FlightId flight, Pc pc);

 private:
  template <class F>
  static void for_each_row(const Group& group, F&& f);

  const RegisterUses& uses_;
  std::vector<std::vector<uint32_t>> waiting_;  // by row: registers
  std::vector<std::vector<uint16_t>> rows_;     // by flight
};

}  // namespace heddle
