#include "schedule/block_priority.h"

namespace heddle {

WarpId BlockPriority::choose_in(BlockId block, const WarpSet& ready) const {
  const WarpSet& warps = host_.warps_in(block);
  const uint32_t next = block < next_.size() ? next_[block] : 0;
  const WarpId id = host_.next_from(next, ready, warps);
  return id != kNoWarp || next == 0 ? id : host_.next_from(0, ready, warps);
}

WarpId BlockPriority::choose_from(BlockId block, const WarpSet& ready) const {
  const size_t count = host_.block_count();
  for (size_t i = 0; i < count; ++i) {
    const size_t each = block + i < count ? block + i : block + i - count;
    if (const WarpId id = choose_in(static_cast<BlockId>(each), ready); id != kNoWarp) return id;
  }
  return kNoWarp;
}

void BlockPriority::issued(WarpId warp) {
  const BlockId block = host_.warp(warp).block;
  if (next_.size() <= block) next_.resize(block + 1U);
  next_[block] = host_.position_after(warp);
}

}  // namespace heddle
