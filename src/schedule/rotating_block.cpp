#include "schedule/rotating_block.h"

namespace heddle {

WarpId RotatingBlock::choose(const WarpSet& ready) const {
  const size_t count = host_.block_count();
  unsigned resident = 0;
  for (BlockId block{0}; block < count; ++block) resident += host_.warps_in(block).empty() ? 0 : 1;
  auto before = static_cast<unsigned>(host_.now % resident);  // whoever is ready is resident
  BlockId first{0};
  while (host_.warps_in(first).empty() || before-- > 0) ++first;
  return choose_from(first, ready);
}

}  // namespace heddle
