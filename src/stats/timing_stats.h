// What a launch took on a machine with a clock. Values only.
#pragma once

#include <cstdint>
#include <vector>

#include "stats/core_stats.h"
#include "stats/memory_stats.h"

namespace heddle {

// Everything up to the end of one interval of --sample, since the launch began.
struct Sample {
  uint64_t cycle = 0;
  uint64_t thread_instructions = 0, issue_slots = 0;
  CoreStats cores;  // all together
  MemoryStats memory;
  bool operator==(const Sample&) const = default;
};

struct TimingStats {
  uint64_t begin = 0;            // in core cycles of the GPU's time
  uint64_t cycles = 0;           // of the core clock; the breakdown of each core sums to it, for each sub-core
  unsigned sub_cores = 1;        // of a core: each has an issue port
  std::vector<CoreStats> cores;  // by core
  unsigned blocks_per_core = 0;  // as many as a core holds at once
  MemoryStats memory;
  std::vector<Sample> samples;

  // The clocks, for rates: MHz.
  unsigned core_mhz = 0, memory_mhz = 0;
  unsigned channels = 0, dram_bytes_per_cycle = 0;

  CoreStats all_cores() const;
  uint64_t core_cycles() const { return cycles * cores.size(); }
  double ipc(uint64_t thread_instructions) const {
    return cycles == 0 ? 0 : static_cast<double>(thread_instructions) / static_cast<double>(cycles);
  }
  double dram_bytes_per_second() const;
  double dram_peak() const;         // bytes per second that the channels can move
  double dram_utilisation() const;  // bytes moved over what the channels could have moved
  bool operator==(const TimingStats&) const = default;
  void add(const TimingStats& other);  // launches one after another; samples stay
};

}  // namespace heddle
