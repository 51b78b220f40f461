// tbc: thread block compaction (Fung and Aamodt, HPCA 2011). One reconvergence stack per block; at every branch that
// may part them the warps of the block wait for each other, and their threads form new warps.
//
// The warps of the top entry run freely until a waiting point: a branch, a call, or the entry's RPC. Each arrival adds
// its threads to the paths it takes and decrements the top's WCnt; a warp whose last thread exits counts as arrived.
// At WCnt = 0 the paths are pushed, taken path on top, also where nobody parted, or the top is popped at its RPC. The
// new top is compacted (compactor.h): one warp per cycle, each lane giving its lowest waiting thread. An entry without
// threads is popped at once. Barriers and warp-wide instructions are no waiting points: who waits there has not
// arrived.
//
// wait_at = not_uni: branches that provably go one way for the whole block are no waiting points; unconditional ones
// are such, PTX's .uni on others speaks of static warps and is no proof. wait_at = all: CAPRI's plain TBC waits at
// them too, pushes nothing and keeps the grouping. Calls always wait, because they push; a return is the callee's RPC.
// compaction = false: waiting stays, the warps are the static ones. block_priority names the scheduler (a machine asks
// for it, see usual_schedule()). lcp: likely-convergence points are waiting points too; the likely entry is made with
// the path entries, whoever parts, and threads join it when WCnt reaches 0.
#pragma once

#include "config/config.h"
#include "divergence/block_paths.h"
#include "divergence/compactor.h"
#include "divergence/mechanism.h"
#include "divergence/reconvergence_stack.h"

namespace heddle {

class ThreadBlockCompaction : public Mechanism {
 public:
  using Stack = ReconvergenceStack<BlockMask>;
  static constexpr Key kKeys[] = {
      {"wait_at", Key::Kind::Choice, "not_uni",
       "branches at which the warps of a block wait: all, or not those proven uniform", "all not_uni"},
      {"compaction", Key::Kind::Boolean, "true",
       "form new warps at branches; false: the warps of a block only wait for each other", ""},
      {"block_priority", Key::Kind::Choice, "age",
       "whose warps are issued first: the oldest block's, a block's that changes every cycle, the last one's",
       "age rrb srr"},
      kLikelyKey,
  };

  ThreadBlockCompaction(Host& host, const Config& config);
  Traits traits() const override { return {.block_wide = true}; }
  void block_start(BlockSlot slot) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  void arrive(WarpId warp) override;
  void explain(BlockSlot slot, std::string& text) const override;
  StateCost cost() const override;

  // For tests.
  const Stack& stack(BlockSlot slot) const { return blocks_[slot].stack; }
  std::span<const BlockPath> paths(BlockSlot slot) const { return blocks_[slot].paths; }
  unsigned warp_count(BlockSlot slot) const { return blocks_[slot].pending; }  // WCnt of the top

 private:
  struct Block {
    Stack stack;
    std::vector<WarpId> warps;     // of the top, in the order they were formed
    unsigned pending = 0;          // WCnt: those that have not arrived
    Pc meeting = kNoPc;            // the others wait here, at the RPC or LPC,
    Pc branch = kNoPc;             // or at this branch or call
    std::vector<BlockPath> paths;  // from there, by ascending PC
  };

  bool may_part(Pc branch) const;
  void go_on(WarpId warp, Pc pc);  // without waiting, unless that is the RPC or LPC
  // The ways to arrive: at a branch or call, at the RPC or LPC, by exit.
  void wait_at_branch(WarpId warp, const Outcome& outcome);
  void wait_to_meet(WarpId warp, Pc at);
  void leave(WarpId warp, const Group& gone);

  void count_arrival(BlockSlot slot);
  void all_arrived(BlockSlot slot);
  void form_warps(BlockSlot slot);  // of what is now the top

  const bool wait_at_all_, compaction_, likely_;
  std::vector<Block> blocks_;  // by slot
  Compactor compactor_;
  size_t deepest_ = 1, entries_ = 1;
  unsigned block_threads_ = 0;
  uint64_t likely_merges_ = 0;  // of blocks that have ended
};

}  // namespace heddle
