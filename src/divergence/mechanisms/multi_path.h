// multi-path: all paths of a warp are splits that go independently (ElTantawy, Ma, O'Connor and Aamodt, A scalable
// multi-path microarchitecture for efficient GPU control flow, HPCA 2014).
//
// Two tables: the splits (PC, RPC, mask and the entry they reconverge at), and the entries that wait (PC, RPC, mask,
// pending mask). A branch that parts a split takes it out of the first, makes an entry at the branch's post-dominator,
// unless the split's own entry is there, and puts the paths at the end, the fall-through first, then by address. A
// split that comes to its RPC is taken out and clears its pending bits; when none is left the entry becomes a split, at
// the end. It issues what pdom issues, with the same masks, in another order (support/split_tables.h).
//
// early, opportunistic reconvergence, simplified: a split that comes by a control instruction to a PC where a sibling
// of the same entry stands that has not issued anything joins it.
//
// With a clock all splits compete for its cycles, one per warp and cycle; which goes is the scheduler's to say, as
// between warps: under gto the one that went last while it can, else the oldest. Without a clock the table is a queue:
// its first split runs, and goes to the end when it jumps anywhere but to the next instruction.
#pragma once

#include "config/config.h"
#include "divergence/support/split_tables.h"

namespace heddle {

class MultiPath : public SplitTables {
 public:
  static constexpr Key kKeys[] = {
      {"early", Key::Kind::Boolean, "false", "multi-path: a split joins a sibling that has not left its PC yet", ""}};

  MultiPath(Host& host, const Config& config) : MultiPath(host, config.boolean("early")) {}
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  void issued(WarpId id) override { split(id).fresh = false; }
  // Its StateCost comes from the peaks of two tables, which may be those of different blocks.
  Traits traits() const override { return {.splits = true, .learns = true}; }
  StateCost cost() const override;
  std::vector<Counter> counters() const override;

 protected:
  MultiPath(Host& host, bool early) : SplitTables(host), early_(early) {}
  bool all_go() const override { return host_.timed; }
  void choose(StaticWarp& own) override;
  void jumped(StaticWarp& own, WarpId id) override;

 private:
  bool join_sibling(StaticWarp& own, WarpId id, uint32_t join, const CodePoint& at, LaneMask who) override;

  const bool early_;
  uint64_t early_merges_ = 0;
};

}  // namespace heddle
