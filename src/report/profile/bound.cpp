#include "report/profile/bound.h"

#include <algorithm>

#include "report/breakdown.h"

namespace heddle {
namespace {

Bound bound_of_memory(const Spent& spent) {
  const uint64_t all = spent.memory + spent.memory_stage;
  if (share(spent.conflicts, all) >= kLimits.conflicts) return Bound::Banks;
  if (spent.dram >= kLimits.dram_busy) return Bound::Bandwidth;
  return 2 * spent.memory_stage > all ? Bound::MemoryStage : Bound::Latency;
}

bool at_barriers(const Spent& spent) {
  return share(spent.behind_barrier, spent.busy()) >= kLimits.barrier &&
         share(spent.behind_barrier, spent.all_waited) >= kLimits.barrier_waits;
}

}  // namespace

Bound bound_where_busy(const Spent& spent) {
  if (at_barriers(spent)) return Bound::Barriers;
  if (share(spent.issued, spent.busy()) >= kLimits.issue)
    return spent.active >= kLimits.simd_efficiency ? Bound::Compute : Bound::Divergence;
  const uint64_t memory = spent.memory + spent.memory_stage;
  const uint64_t most = std::max({memory, spent.unit, spent.fetch, spent.result});
  if (most == 0) return Bound::Nothing;
  if (most == memory) return bound_of_memory(spent);
  if (most == spent.result) return Bound::Warps;
  return most == spent.unit ? Bound::Units : Bound::Fetch;
}

Bound bound_of(const Spent& spent) {
  if (share(spent.no_block, spent.cycles) < kLimits.no_block) return bound_where_busy(spent);
  return share(spent.overhead, spent.no_block) >= kLimits.overhead ? Bound::Launches : Bound::Blocks;
}

const char* name_of(Bound bound) {
  switch (bound) {
    case Bound::Nothing: return "nothing";
    case Bound::Launches: return "launches";
    case Bound::Blocks: return "blocks";
    case Bound::Barriers: return "barriers";
    case Bound::Latency: return "latency";
    case Bound::Bandwidth: return "bandwidth";
    case Bound::MemoryStage: return "memory stage";
    case Bound::Banks: return "banks";
    case Bound::Warps: return "warps";
    case Bound::Units: return "units";
    case Bound::Fetch: return "fetch";
    case Bound::Divergence: return "divergence";
    case Bound::Compute: return "compute";
  }
  return "";
}

const char* words_of(Bound bound) {
  switch (bound) {
    case Bound::Nothing: return "nothing was executed";
    case Bound::Launches: return "launch overhead";
    case Bound::Blocks: return "too few blocks";
    case Bound::Barriers: return "barriers";
    case Bound::Latency: return "memory latency";
    case Bound::Bandwidth: return "memory bandwidth";
    case Bound::MemoryStage: return "a full memory stage";
    case Bound::Banks: return "shared-memory conflicts";
    case Bound::Warps: return "dependences and barriers";
    case Bound::Units: return "busy units";
    case Bound::Fetch: return "instruction fetch";
    case Bound::Divergence: return "issue, with idle lanes";
    case Bound::Compute: return "issue";
  }
  return "";
}

}  // namespace heddle
