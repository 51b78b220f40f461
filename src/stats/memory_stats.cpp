#include "stats/memory_stats.h"

#include <array>
#include <bit>
#include <cstddef>

namespace heddle {
namespace {

// Every counter is a uint64_t, so a structure of counters is an array of them.
template <class Stats>
using Counters = std::array<uint64_t, sizeof(Stats) / sizeof(uint64_t)>;

template <class Stats>
void add_all(Stats& sum, const Stats& other) {
  auto counters = std::bit_cast<Counters<Stats>>(sum);
  const auto more = std::bit_cast<Counters<Stats>>(other);
  for (size_t i = 0; i < counters.size(); ++i) counters[i] += more[i];
  sum = std::bit_cast<Stats>(counters);
}

}  // namespace

void CacheStats::add(const CacheStats& other) { add_all(*this, other); }
void DramStats::add(const DramStats& other) { add_all(*this, other); }
void MemoryStats::add(const MemoryStats& other) { add_all(*this, other); }

MemoryStats MemoryStats::since(const MemoryStats& before) const {
  auto counters = std::bit_cast<Counters<MemoryStats>>(*this);
  const auto less = std::bit_cast<Counters<MemoryStats>>(before);
  for (size_t i = 0; i < counters.size(); ++i) counters[i] -= less[i];
  return std::bit_cast<MemoryStats>(counters);
}

}  // namespace heddle
