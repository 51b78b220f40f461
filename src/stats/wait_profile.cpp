#include "stats/wait_profile.h"

#include <numeric>

namespace heddle {

std::string_view name_of(IdleCause cause) {
  switch (cause) {
    case IdleCause::Memory: return "memory";
    case IdleCause::Dependency: return "result";
    case IdleCause::Barrier: return "barrier";
    case IdleCause::MemoryStage: return "stage";
    case IdleCause::Unit: return "unit";
    case IdleCause::Fetch: return "fetch";
    case IdleCause::Port: return "forming";
    case IdleCause::NoWarp: return "no block";
    case IdleCause::Other: return "other";
    case IdleCause::Count_: break;
  }
  return "";
}

void AccessCounts::add(const AccessCounts& other) {
  groups += other.groups;
  lines += other.lines;
  sectors += other.sectors;
  hits += other.hits;
  misses += other.misses;
  shared_groups += other.shared_groups;
  bank_passes += other.bank_passes;
  pairs += other.pairs;
  if (stride == other.stride || strided == 0) {
    stride = other.strided > 0 ? other.stride : stride;
    strided += other.strided;
  } else if (other.strided > strided) {
    stride = other.stride;
    strided = other.strided;
  }
}

uint64_t PcTiming::all_waited() const { return std::accumulate(waited.begin(), waited.end(), uint64_t{0}); }

void PcTiming::add(const PcTiming& other) {
  for (size_t cause = 0; cause < kIdleCauses; ++cause) waited[cause] += other.waited[cause];
  others_at_barrier += other.others_at_barrier;
  behind_barrier += other.behind_barrier;
  beside += other.beside;
  completed += other.completed;
  cycles_to_complete += other.cycles_to_complete;
  access.add(other.access);
}

}  // namespace heddle
