// What schedulers that give blocks priority share (Fung and Aamodt, HPCA 2011, 4.4): inside a block warps go loose
// round robin, by slot, with a pointer that each block keeps. The key block_priority of the papers' presets is
// `--schedule age`, `rrb` or `srr`.
#pragma once

#include <vector>

#include "schedule/scheduler.h"

namespace heddle {

class BlockPriority : public Scheduler {
 public:
  using Scheduler::Scheduler;
  void issued(WarpId warp) override;

 protected:
  WarpId choose_in(BlockSlot slot, const WarpSet& ready) const;  // kNoWarp: none of the block is ready
  // The first block with a ready warp, from this slot on, round robin.
  WarpId choose_from(BlockSlot slot, const WarpSet& ready) const;

 private:
  std::vector<uint32_t> next_;  // by block slot: Host::position_after
};

}  // namespace heddle
