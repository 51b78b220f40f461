// What the memory system counts. Values only.
#pragma once

#include <cstdint>

namespace heddle {

// Sectors of 32 bytes that were asked for, and those of them that were there; where a cache keeps sectors.
struct SectorStats {
  uint64_t reads = 0, read_hits = 0;
  uint64_t writes = 0, write_hits = 0;
  uint64_t atomics = 0, atomic_hits = 0;  // of the L2 alone
  uint64_t fetched = 0;                   // from DRAM; of the L2 alone
  bool operator==(const SectorStats&) const = default;
};

// One kind of cache: what asked it, and what became of that. accesses = hits + misses; misses = fills + merges
// (+ allocations without a fill: writes of whole lines).
struct CacheStats {
  uint64_t reads = 0, writes = 0;
  uint64_t read_hits = 0, write_hits = 0;
  uint64_t merges = 0;     // misses that joined a fetch under way
  uint64_t fills = 0;      // lines fetched from below
  uint64_t unfetched = 0;  // misses that fetch nothing: writes passed on, or allocated whole
  uint64_t writebacks = 0;
  SectorStats sectors;

  uint64_t accesses() const { return reads + writes; }
  uint64_t misses() const { return accesses() - read_hits - write_hits; }
  double miss_rate() const {
    return accesses() == 0 ? 0 : static_cast<double>(misses()) / static_cast<double>(accesses());
  }
  bool operator==(const CacheStats&) const = default;
  void add(const CacheStats& other);
};

struct NetworkStats {
  uint64_t request_packets = 0, reply_packets = 0;
  uint64_t request_bytes = 0, reply_bytes = 0;  // headers included
  bool operator==(const NetworkStats&) const = default;
};

struct DramStats {
  uint64_t reads = 0, writes = 0;                            // requests
  uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;  // row open, bank closed, another row open
  uint64_t activates = 0, precharges = 0;
  uint64_t bytes = 0;
  uint64_t busy_cycles = 0;  // of the data bus, memory cycles, over all channels
  bool operator==(const DramStats&) const = default;
  void add(const DramStats& other);
  double row_hit_rate() const {
    const uint64_t all = row_hits + row_misses + row_conflicts;
    return all == 0 ? 0 : static_cast<double>(row_hits) / static_cast<double>(all);
  }
};

struct MemoryStats {
  CacheStats l2;
  uint64_t atomics = 0;  // operations at the L2
  NetworkStats network;
  DramStats dram;
  bool operator==(const MemoryStats&) const = default;
  void add(const MemoryStats& other);
  MemoryStats since(const MemoryStats& before) const;  // what has come since then
};

}  // namespace heddle
