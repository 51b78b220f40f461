// Why is it slow? One sentence, made from what was measured of a run, and what may help.
// What a core waits for where it issues nothing is known here, cycle by cycle (divergence/observer.h, Idled).
#pragma once

#include <cstdint>
#include <string>

#include "report/profile/bound.h"
#include "stats/core_stats.h"

namespace heddle {

struct Profile;

// How full the machine was; launches count by their cycles.
struct MachineUse {
  bool timed = false;
  unsigned warp_size = 32;
  unsigned cores = 0;
  uint64_t cycles = 0;                       // of all cores, summed
  uint64_t issued = 0;                       // of these, with an issue
  uint64_t overhead = 0;                     // of these, before the first block of a launch and after its last
  double blocks = 0;                         // of a launch
  double launch_cycles = 0;                  // of a launch
  double warps_per_core = 0;                 // resident, of cores that have blocks
  double most_warps = 0;                     // that a core can hold
  MemoryStall held_by = MemoryStall::Lines;  // why the memory stage was held longest
  double dram = 0;                           // how busy its channels were
};

struct Answer {
  Bound bound = Bound::Nothing;
  double share = 0;  // of the cycles that the sentence begins with; without a clock: of the lanes
  std::string file;  // the line that it names; empty: none
  uint32_t line = 0;
  std::string sentence;
  std::string advice;
};

Answer answer_of(const Profile& profile);

}  // namespace heddle
