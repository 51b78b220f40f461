// Which branch is to blame for lanes that idle?
//
// An instruction issued for `a` active threads on average, of a warp of W, wastes W - a lanes each time. It stands in
// the regions of some branches at which threads diverged: between the branch and the point where its threads meet
// again. Each began with the threads that came to it, of a loop with those that came to the loop. From the outermost
// region inwards, a branch is to blame for what is lost between its own start and that of the next one, the innermost
// for what is left. What was lost before the outermost is nobody's: blocks that fill no whole warps, warps that were
// formed small, and in a function what its callers had lost. So the parts sum to the whole.
#pragma once

#include <span>
#include <vector>

#include "program/kernel.h"
#include "stats/branch_record.h"
#include "stats/pc_counts.h"

namespace heddle {

// The blocks between a branch and the point where its threads meet again.
std::vector<bool> blocks_inside(const Kernel& kernel, Pc branch);

struct Blame {
  std::vector<double> branches;  // lanes, by PC of the branch
  double nobody = 0;
};
Blame blame(const Kernel& kernel, std::span<const PcCounts> counts, std::span<const BranchRecord> branches,
            unsigned warp_size);

}  // namespace heddle
