// What is counted of one static branch. Values only.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace heddle {

// What a branch's predicate depends on: on data (D), or on nothing but what was known before the kernel ran (P).
enum class BranchKind : uint8_t { Unknown, Programmatic, Data };

// The branch as the threads of a block execute it together, which share an entry of a block-wide stack. Divergent: some
// static warp diverges. A path is compactable if threads that may change lanes need fewer warps than static warps hold
// them, and compacted if they do so in their home lanes; a branch is if one of its paths is.
struct BlockWideCounts {
  uint64_t executed = 0, diverged = 0, compactable = 0, compacted = 0;
  uint64_t paths = 0, compactable_paths = 0, compacted_paths = 0;  // of divergent ones
  bool operator==(const BlockWideCounts&) const = default;
  void add(const BlockWideCounts& other);
};

struct BranchRecord {
  Pc pc = 0;
  uint64_t executed = 0;  // issue slots
  uint64_t diverged = 0;  // of these, slots whose threads diverged
  // Where taint was followed, of branches with a choice.
  BranchKind kind = BranchKind::Unknown;  // Data if it ever was for some thread
  uint64_t threads = 0;                   // thread executions
  uint64_t data_threads = 0;              // of these, with a predicate that depends on data
  BlockWideCounts block_wide{};           // where there is KernelStats::compaction

  bool operator==(const BranchRecord&) const = default;
  void add(const BranchRecord& other);  // of the same branch
};

}  // namespace heddle
