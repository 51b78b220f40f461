// The numbers of the memory system, as keys and as values.
#pragma once

#include <cstdint>
#include <span>

#include "config/config.h"

namespace heddle {

struct MemoryParameters {
  unsigned channels, channel_interleave, channel_scatter;
  bool channel_hash;
  bool packed;  // packets of the network, byte by byte
  unsigned network_latency, network_bytes, network_reply_bytes, l2_port_bytes, l2_reply_bytes, network_queue,
      network_concentration, network_takes;
  unsigned read_group;   // cores
  unsigned code_groups;  // of cores, each of which has a cache of code; 0: the rest is not known
  unsigned code_bytes, code_ways, code_line, code_latency, code_far_latency, code_miss_latency, code_joins,
      code_launch_bytes;
  unsigned code_clock, core_clock;  // MHz
  unsigned packet_header, reply_header;
  enum class WritePacket : uint8_t { Bytes, Sectors, Line } write_packet;  // what a write sends
  unsigned write_mask;                                                     // bytes more of one of parts of sectors
  unsigned l2_bytes, l2_line, l2_ways, l2_latency, l2_miss_latency, l2_miss_queue, l2_mshrs, l2_merges, l2_queue;
  bool l2_sectors, l2_hash;
  unsigned l2_partitions, l2_far_latency, l2_far_miss_latency, l2_far_cycles;
  unsigned atomic_cycles;
  unsigned atomic_clock, network_clock;  // MHz; 0: atomic_cycles are the network's
  bool l2_pass_writes;                   // those that miss
  bool atomic_lanes;                     // each lane of an atomic is a request of its own, answered with the line
  unsigned dram_banks, dram_row_bytes, dram_bytes_per_cycle, dram_queue;
  unsigned dram_access;  // with l2_sectors: bytes that are read or written together
  unsigned tcl, trp, trc, tras, trcd, trrd, tccd, twl, twtr, trefi, trfc;
  bool refresh_in_turn;  // of the channels
  bool first_ready;      // FR-FCFS, else FCFS

  unsigned far_miss() const { return l2_far_miss_latency == 0 ? l2_far_latency : l2_far_miss_latency; }
  unsigned reply_bytes() const { return network_reply_bytes == 0 ? network_bytes : network_reply_bytes; }

  static std::span<const Key> keys();
  // Throws Error (Usage) with the key's name where the values contradict each other.
  static MemoryParameters from(const Config& config);
  bool operator==(const MemoryParameters&) const = default;
};

}  // namespace heddle
