// Why is it slow? One sentence, made from what was measured of a run, and what may help.
//
// Of the cycles of cores that had a block, each either issues or waits, and what it waits for is known
// (divergence/observer.h, Idled). Where half of them issue, what they issue is the answer, else the largest wait; the
// limits are in Limits.
#pragma once

#include <cstdint>
#include <string>

#include "stats/core_stats.h"

namespace heddle {

struct Profile;

enum class Bound : uint8_t {
  Nothing,      // nothing was executed
  Blocks,       // cores have none
  Barriers,     // most warps wait at one for the rest
  Latency,      // of memory
  Bandwidth,    // of memory
  MemoryStage,  // which is full
  Banks,        // of shared memory
  Warps,        // too few, to hide how long arithmetic takes
  Units,        // that are busy
  Fetch,        // of instructions
  Divergence,   // lanes idle
  Compute,
};
const char* name_of(Bound bound);

struct Limits {
  double no_block = 0.5;            // share of all cycles of cores without a block: from here on that is the answer
  double few_without_block = 0.05;  // below it, the cycles of all cores are as good as those of busy ones
  double barrier = 0.25;            // share of the others in which most warps are at a barrier and nothing is issued,
  double barrier_waits = 0.5;       // and share of all waiting: from here on both
  double issue = 0.5;  // share of the busy cycles that issue: from here on what is issued is the answer, else a wait
  double dram_busy = 0.6;         // from here on bandwidth, not latency
  double simd_efficiency = 0.76;  // below it lanes idle: the line between divergent and coherent programs
  double passes = 2;              // over the banks per access: conflicts from here on
  double stride = 0.5;            // share of the accesses with the commonest stride: neighbours are that far apart
};
inline constexpr Limits kLimits;

// How full the machine was; launches count by their cycles.
struct MachineUse {
  bool timed = false;
  unsigned warp_size = 32;
  unsigned cores = 0;
  uint64_t cycles = 0;                       // of all cores, summed
  uint64_t issued = 0;                       // of these, with an issue
  double blocks = 0;                         // of a launch
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
