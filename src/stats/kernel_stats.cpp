#include "stats/kernel_stats.h"

#include <algorithm>

namespace heddle {

void KernelStats::add(const KernelStats& other) {
  blocks += other.blocks;
  threads += other.threads;
  interleaved = interleaved || other.interleaved;
  thread_instructions += other.thread_instructions;
  issue_slots += other.issue_slots;
  active_slots += other.active_slots;
  phantom_slots += other.phantom_slots;
  phantom_threads += other.phantom_threads;
  slots_beside += other.slots_beside;
  predicated_off += other.predicated_off;
  branches += other.branches;
  divergent_branches += other.divergent_branches;
  for (size_t i = 0; i < active_threads.size(); ++i) active_threads[i] += other.active_threads[i];
  deepest = std::max(deepest, other.deepest);
  state_bits_per_warp = std::max(state_bits_per_warp, other.state_bits_per_warp);
  state_constant = other.state_constant;
  likely_merges += other.likely_merges;
  add_counters(counters, other.counters);
  if (other.decisions) {
    if (!decisions) decisions.emplace();
    *decisions += *other.decisions;
  }
  if (other.compaction) {
    if (!compaction) compaction.emplace();
    compaction->add(*other.compaction);
  }
  if (!other.timing) return;
  if (!timing) timing.emplace();
  timing->add(*other.timing);
}

void KernelStats::fill_slots(unsigned warp_size) {
  const uint64_t full = thread_instructions / warp_size;
  const auto rest = static_cast<unsigned>(thread_instructions % warp_size);
  issue_slots = active_slots = phantom_slots = phantom_threads = slots_beside = 0;
  active_threads = {};
  issue(full, warp_size);
  if (rest > 0) issue(1, rest);
  branches = divergent_branches = 0;
  branch_records.clear();
  by_pc.clear();
}

}  // namespace heddle
