#include "schedule/block_priority.h"

namespace heddle {

WarpId BlockPriority::choose_in(BlockSlot slot, const WarpSet& ready) const {
  const WarpSet& warps = host_.warps_in(slot);
  const uint32_t next = slot < next_.size() ? next_[slot] : 0;
  const WarpId id = host_.next_from(next, ready, warps);
  return id != kNoWarp || next == 0 ? id : host_.next_from(0, ready, warps);
}

WarpId BlockPriority::choose_from(BlockSlot slot, const WarpSet& ready) const {
  const BlockSlot slots = host_.block_slots();
  for (unsigned i = 0; i < slots; ++i) {
    const unsigned each = slot + i < slots ? slot + i : slot + i - slots;
    if (const WarpId id = choose_in(static_cast<BlockSlot>(each), ready); id != kNoWarp) return id;
  }
  return kNoWarp;
}

void BlockPriority::issued(WarpId warp) {
  const BlockSlot slot = host_.warp(warp).block;
  if (next_.size() <= slot) next_.resize(slot + 1U);
  next_[slot] = host_.position_after(warp);
}

}  // namespace heddle
