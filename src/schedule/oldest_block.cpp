#include "schedule/oldest_block.h"

namespace heddle {

WarpId OldestBlock::choose(const WarpSet& ready) const {
  for (BlockId block : host_.oldest_blocks())
    if (const WarpId id = choose_in(block, ready); id != kNoWarp) return id;
  return kNoWarp;
}

}  // namespace heddle
