#include "stats/core_stats.h"

#include <array>
#include <bit>
#include <numeric>

namespace heddle {

std::string_view name_of(MemoryStall cause) {
  switch (cause) {
    case MemoryStall::Lines: return "lines";
    case MemoryStall::Banks: return "banks";
    case MemoryStall::Constants: return "constants";
    case MemoryStall::Mshr: return "mshr";
    case MemoryStall::Merge: return "merge";
    case MemoryStall::Set: return "set";
    case MemoryStall::Network: return "network";
    case MemoryStall::Port: return "port";
    case MemoryStall::Count_: break;
  }
  return "";
}

uint64_t CoreStats::cycles() const {
  return std::accumulate(issue_cycles.begin(), issue_cycles.end(), uint64_t{0}) + stall + w0_mem + w0_idle;
}

uint64_t CoreStats::memory_stall_cycles() const {
  return std::accumulate(memory_stalls.begin(), memory_stalls.end(), uint64_t{0});
}

void CoreStats::add(const CoreStats& other) {
  for (size_t i = 0; i < issue_cycles.size(); ++i) issue_cycles[i] += other.issue_cycles[i];
  stall += other.stall;
  w0_mem += other.w0_mem;
  w0_idle += other.w0_idle;
  empty += other.empty;
  machine_instructions += other.machine_instructions;
  machine_threads += other.machine_threads;
  for (size_t i = 0; i < memory_stalls.size(); ++i) memory_stalls[i] += other.memory_stalls[i];
  l1.add(other.l1);
  constant.add(other.constant);
  texture.add(other.texture);
  instruction.add(other.instruction);
  shared_accesses += other.shared_accesses;
  memory_slots += other.memory_slots;
  lines += other.lines;
}

// Every counter is a uint64_t, so the structure is an array of them.
CoreStats CoreStats::since(const CoreStats& before) const {
  using Counters = std::array<uint64_t, sizeof(CoreStats) / sizeof(uint64_t)>;
  auto counters = std::bit_cast<Counters>(*this);
  const auto less = std::bit_cast<Counters>(before);
  for (size_t i = 0; i < counters.size(); ++i) counters[i] -= less[i];
  return std::bit_cast<CoreStats>(counters);
}

}  // namespace heddle
