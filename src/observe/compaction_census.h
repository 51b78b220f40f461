// Counts how well the paths of divergent branches compact, under every lane map at once: what a mechanism with a stack
// per block knows when all warps of an entry have come to a branch.
//
// It hears of every branch that the threads of an entry have executed (AllCame). The threads are those on the paths.
// The branch is divergent if some static warp has threads on more than one of them; then each path counts, by the
// number of warps it needs (compactor.h). A path that starts where the paths meet is none: no warp is formed for it.
// (With such paths Balanced could not equal ideal on 3DFD, as it does in Rhu and Erez, ISCA 2013, 6.1.) A branch
// depends on data if it does for one of the threads, so that both its paths are of one kind.
#pragma once

#include <span>
#include <vector>

#include "divergence/support/block_paths.h"
#include "stats/compaction_stats.h"

namespace heddle {

class CompactionCensus {
 public:
  CompactionCensus(const Kernel& kernel, bool taint);  // without taint: kinds are unknown

  // Threads of one stack entry of the block have executed `branch` and go on by these paths, or by this one,
  // and meet at `meets`.
  // Branches without a choice, and calls, are passed over.
  void branch(const Host& host, BlockId block, Pc branch, Pc meets, std::span<const BlockPath> paths, bool on_data);

  const CompactionStats& stats() const { return stats_; }
  const BlockWideCounts& branch(Pc pc) const { return branches_[pc]; }

 private:
  void count_path(const Host& host, BlockId block, const BlockMask& threads, BranchKind kind, BlockWideCounts& counts);
  void place_lanes(unsigned warp_size);
  unsigned fullest_lane(size_t map, const BlockMask& threads) const;

  const Kernel& kernel_;
  const bool taint_;
  std::vector<BlockWideCounts> branches_;    // by PC
  std::vector<std::vector<uint8_t>> lanes_;  // by lane map, by number in the block: the home lane
  CompactionStats stats_;
};

}  // namespace heddle
