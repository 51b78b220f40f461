// The numbers of the memory system, as keys and as values.
#pragma once

#include <cstdint>
#include <span>

#include "config/config.h"

namespace heddle {

struct MemoryParameters {
  unsigned channels, channel_interleave;
  unsigned network_latency, network_bytes, network_queue, network_concentration;
  unsigned packet_header, reply_header;
  bool write_lines;  // a write sends its whole line
  unsigned l2_bytes, l2_line, l2_ways, l2_latency, l2_miss_latency, l2_miss_queue, l2_mshrs, l2_merges, l2_queue;
  unsigned atomic_cycles;
  bool l2_pass_writes;  // those that miss
  bool atomic_lanes;    // each lane of an atomic is a request of its own, answered with the line
  unsigned dram_banks, dram_row_bytes, dram_bytes_per_cycle, dram_queue;
  unsigned tcl, trp, trc, tras, trcd, trrd, tccd, twl, twtr;
  bool first_ready;  // FR-FCFS, else FCFS

  static std::span<const Key> keys();
  // Throws Error (Usage) with the key's name where the values contradict each other.
  static MemoryParameters from(const Config& config);
  bool operator==(const MemoryParameters&) const = default;
};

}  // namespace heddle
