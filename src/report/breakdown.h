// Where the cycles of cores went, by the names the papers give.
#pragma once

#include <string>
#include <vector>

#include "stats/kernel_stats.h"

namespace heddle {

struct CycleClass {
  std::string name;
  uint64_t cycles;
};

// "W1-4" … "W29-32" in eight classes (a class per thread for warps of eight and less), Stall, W0_Mem, W0_Idle, and
// W0_Phantom, slots that were charged for no thread. The sum is core.cycles().
std::vector<CycleClass> breakdown_of(const CoreStats& core, unsigned warp_size);

// "W1-4": the name of the class that begins at `low` active threads, and its size.
unsigned class_size(unsigned warp_size);
std::string class_name(unsigned low, unsigned warp_size);

double share(uint64_t part, uint64_t whole);  // 0 of nothing

// The intervals of --sample: each counts from the end of the one before. The last ends with the launch, and may be
// shorter.
struct Interval {
  uint64_t cycles = 0;
  Sample counted;  // its cycle is the end
  double ipc() const { return share(counted.thread_instructions, cycles); }
};
std::vector<Interval> intervals_of(const KernelStats& stats);

}  // namespace heddle
