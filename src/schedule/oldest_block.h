// age: the oldest block with a ready warp, in the order in which blocks started. The default of thread block
// compaction (HPCA 2011): block_priority = age in the papers' terms is `--schedule age`.
#pragma once

#include "schedule/block_priority.h"

namespace heddle {

class OldestBlock : public BlockPriority {
 public:
  using BlockPriority::BlockPriority;
  WarpId choose(const WarpSet& ready) const override;
};

}  // namespace heddle
