// srr: the block that issued last keeps priority until it has no ready warp; then the next block with one, round robin
// by id. block_priority = srr in the papers' terms is `--schedule srr` (sticky round robin, HPCA 2011).
#pragma once

#include "schedule/block_priority.h"

namespace heddle {

class StickyBlock : public BlockPriority {
 public:
  using BlockPriority::BlockPriority;
  WarpId choose(const WarpSet& ready) const override { return choose_from(last_, ready); }
  void issued(WarpId warp) override {
    last_ = host_.warp(warp).block;
    BlockPriority::issued(warp);
  }

 private:
  BlockId last_{0};
};

}  // namespace heddle
