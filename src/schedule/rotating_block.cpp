#include "schedule/rotating_block.h"

namespace heddle {

WarpId RotatingBlock::choose(const WarpSet& ready) const {
  const BlockSlot slots = host_.block_slots();
  unsigned resident = 0;
  for (BlockSlot slot = 0; slot < slots; ++slot) resident += host_.warps_in(slot).empty() ? 0 : 1;
  auto before = static_cast<unsigned>(host_.now % resident);  // whoever is ready is resident
  BlockSlot first = 0;
  while (host_.warps_in(first).empty() || before-- > 0) ++first;
  return choose_from(first, ready);
}

}  // namespace heddle
