// What schedulers that give blocks priority share (Fung and Aamodt, HPCA 2011, 4.4): inside a block warps go loose
// round robin, by id, with a pointer that each block keeps. The key block_priority of the papers' presets is
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
  WarpId choose_in(BlockId block, const WarpSet& ready) const;  // kNoWarp: none of the block is ready
  // The first block with a ready warp, from this one on, round robin.
  WarpId choose_from(BlockId block, const WarpSet& ready) const;

 private:
  std::vector<uint32_t> next_;  // by block: Host::position_after
};

}  // namespace heddle
