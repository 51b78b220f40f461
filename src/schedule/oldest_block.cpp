#include "schedule/oldest_block.h"

namespace heddle {

WarpId OldestBlock::choose(const WarpSet& ready) const {
  for (BlockSlot slot : host_.oldest_blocks())
    if (const WarpId id = choose_in(slot, ready); id != kNoWarp) return id;
  return kNoWarp;
}

}  // namespace heddle
