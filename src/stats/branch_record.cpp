#include "stats/branch_record.h"

#include <algorithm>

namespace heddle {

void BlockWideCounts::add(const BlockWideCounts& other) {
  executed += other.executed;
  diverged += other.diverged;
  compactable += other.compactable;
  compacted += other.compacted;
  paths += other.paths;
  compactable_paths += other.compactable_paths;
  compacted_paths += other.compacted_paths;
}

void BranchRecord::add(const BranchRecord& other) {
  executed += other.executed;
  diverged += other.diverged;
  kind = std::max(kind, other.kind);
  threads += other.threads;
  data_threads += other.data_threads;
  block_wide.add(other.block_wide);
}

}  // namespace heddle
