// Where the threads of a block, or of a part of it, go after a control instruction that several groups executed.
#pragma once

#include <vector>

#include "divergence/block_mask.h"
#include "divergence/mechanism.h"

namespace heddle {

struct BlockPath {
  Pc pc;
  BlockMask who;
};

// Adds the threads of a group of the block that are in `who` to a set.
void add_threads(const Host& host, BlockSlot slot, const Group& group, LaneMask who, BlockMask& set);
// Adds an outcome to paths whose PCs are distinct and ascend.
void add_paths(const Host& host, BlockSlot slot, const Outcome& outcome, std::vector<BlockPath>& paths);

}  // namespace heddle
