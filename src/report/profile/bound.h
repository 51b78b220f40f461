// What limits a kernel: one word, from where the cycles of its cores went. The sentences of a profile and the summary
// of `heddle exec` both have it from here.
//
// Of the cycles of cores that had a block, each either issues or waits. Where half of them issue, what they issue is
// the answer, else the largest wait; the limits are in Limits.
#pragma once

#include <cstdint>

namespace heddle {

enum class Bound : uint8_t {
  Nothing,      // nothing was executed
  Launches,     // that take longer to begin and to end than what they do
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
const char* words_of(Bound bound);  // "memory bandwidth": what limits, as CUDA programmers say it

struct Limits {
  double no_block = 0.5;            // share of all cycles of cores without a block: from here on that is the answer
  double overhead = 0.5;            // share of these that is the overhead of launches: from here on that is it
  double few_without_block = 0.05;  // below it, the cycles of all cores are as good as those of busy ones
  double barrier = 0.25;            // share of the others in which most warps are at a barrier and nothing is issued,
  double barrier_waits = 0.5;       // and share of all waiting: from here on both
  double issue = 0.5;  // share of the busy cycles that issue: from here on what is issued is the answer, else a wait
  double dram_busy = 0.6;         // from here on bandwidth, not latency
  double simd_efficiency = 0.76;  // below it lanes idle: the line between divergent and coherent programs
  double conflicts = 0.5;         // share of the waits for memory: from here on banks
  double passes = 2;              // over the banks per access: conflicts from here on
  double stride = 0.5;            // share of the accesses with the commonest stride: neighbours are that far apart
};
inline constexpr Limits kLimits;

// Cycles of all cores, and what they went to, as far as it is known.
struct Spent {
  uint64_t cycles = 0;
  uint64_t no_block = 0, overhead = 0;  // overhead: of no_block, before the first block of a launch and after its last
  uint64_t issued = 0;
  uint64_t memory = 0, memory_stage = 0, result = 0, unit = 0, fetch = 0;  // waits
  uint64_t conflicts = 0;                                                  // of memory and memory_stage
  uint64_t behind_barrier = 0, all_waited = 0;                             // another way to see the waits
  double dram = 0;                                                         // how busy its channels were
  double active = 1;                                                       // lanes, of those that were issued

  uint64_t busy() const { return cycles - no_block; }
};
Bound bound_where_busy(const Spent& spent);  // whatever there is without a block
Bound bound_of(const Spent& spent);

}  // namespace heddle
