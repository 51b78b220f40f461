#include "stats/timing_stats.h"

#include <algorithm>

namespace heddle {

CoreStats TimingStats::all_cores() const {
  CoreStats sum;
  for (const CoreStats& core : cores) sum.add(core);
  return sum;
}

double TimingStats::dram_bytes_per_second() const {
  if (cycles == 0) return 0;
  return static_cast<double>(memory.dram.bytes) * core_mhz * 1e6 / static_cast<double>(cycles);
}

double TimingStats::dram_peak() const { return double{1e6} * memory_mhz * channels * dram_bytes_per_cycle; }

double TimingStats::dram_utilisation() const {
  const double most = dram_peak();
  return most == 0 ? 0 : dram_bytes_per_second() / most;
}

void TimingStats::add(const TimingStats& other) {
  cycles += other.cycles;
  sub_cores = other.sub_cores;
  blocks_per_core = std::max(blocks_per_core, other.blocks_per_core);
  cores.resize(std::max(cores.size(), other.cores.size()));
  for (size_t i = 0; i < other.cores.size(); ++i) cores[i].add(other.cores[i]);
  memory.add(other.memory);
  core_mhz = other.core_mhz;
  memory_mhz = other.memory_mhz;
  channels = other.channels;
  dram_bytes_per_cycle = other.dram_bytes_per_cycle;
}

}  // namespace heddle
