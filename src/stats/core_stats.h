// What one core counts at cycle level. Values only.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "stats/memory_stats.h"

namespace heddle {

// Why the memory stage held an instruction longer than a warp instruction takes.
enum class MemoryStall : uint8_t {
  Lines,      // several lines, one per cycle
  Banks,      // bank conflicts of shared memory
  Constants,  // distinct constant addresses
  Mshr,       // no line can be waited for any more
  Merge,      // too many wait for this line
  Set,        // all ways of the set wait for lines
  Network,    // the queue to the network is full
  Port,       // the cache's port is taken by a fill
  Count_,
};
inline constexpr size_t kMemoryStalls = static_cast<size_t>(MemoryStall::Count_);
std::string_view name_of(MemoryStall cause);

struct CoreStats {
  // Where the cycles of the issue ports went: cycles() is their sum, always the cycles of the core for each sub-core.
  std::array<uint64_t, 33> issue_cycles{};  // cycles the issue port was taken, by active threads of the slot
  uint64_t stall = 0;                       // a warp was ready, the pipeline below did not take it
  uint64_t w0_mem = 0;                      // nothing ready, and some warp waits for memory
  uint64_t w0_idle = 0;                     // nothing ready
  uint64_t empty = 0;                       // of these: no block was there

  // Where instructions are not the machine's: what they were made of, each a turn of the issue port.
  uint64_t machine_instructions = 0;
  uint64_t machine_threads = 0;  // active threads summed over these

  std::array<uint64_t, kMemoryStalls> memory_stalls{};  // cycles, by cause

  CacheStats l1, constant, texture, instruction;
  uint64_t shared_accesses = 0;  // slots that touch shared memory
  uint64_t memory_slots = 0;     // slots that touch global or local memory
  uint64_t lines = 0;            // lines they touch

  uint64_t cycles() const;
  uint64_t idle() const { return w0_mem + w0_idle; }
  uint64_t memory_stall_cycles() const;
  bool operator==(const CoreStats&) const = default;
  void add(const CoreStats& other);
  CoreStats since(const CoreStats& before) const;  // what has come since then
};

}  // namespace heddle
