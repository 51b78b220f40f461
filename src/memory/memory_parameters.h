// The numbers of the memory system, as keys and as values.
#pragma once

#include <cstdint>
#include <span>

#include "config/config.h"

namespace heddle {

struct MemoryParameters {
  unsigned channels, channel_interleave;
  unsigned network_latency, network_bytes, network_queue, packet_header;
  unsigned l2_bytes, l2_line, l2_ways, l2_latency, l2_mshrs, l2_merges, l2_queue, atomic_cycles;
  unsigned dram_banks, dram_row_bytes, dram_bytes_per_cycle, dram_queue;
  unsigned tcl, trp, trc, tras, trcd, trrd;
  bool first_ready;  // FR-FCFS, else FCFS

  static std::span<const Key> keys();
  // Throws Error (Usage) with the key's name where the values contradict each other.
  static MemoryParameters from(const Config& config);
};

}  // namespace heddle
