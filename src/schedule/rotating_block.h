// rrb: priority rotates over the resident blocks every cycle. In cycle t the block at position t modulo their number
// comes first, in the order of their ids, then the blocks that follow it. Resident are blocks that have warps.
// block_priority = rrb in the papers' terms is `--schedule rrb` (HPCA 2011).
#pragma once

#include "schedule/block_priority.h"

namespace heddle {

class RotatingBlock : public BlockPriority {
 public:
  using BlockPriority::BlockPriority;
  WarpId choose(const WarpSet& ready) const override;
};

}  // namespace heddle
