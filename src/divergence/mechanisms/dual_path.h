// dual-path: a stack whose entries hold both paths of a branch, which are issued independently (Rhu and Erez, The
// dual-path execution model for efficient GPU control flow, HPCA 2013).
//
// An entry is two paths (PC and mask each), the taken one left, and one reconvergence PC. Where a path parts and the
// branch's join is the entry's own and the other path is gone, the entry takes the two new ones; else the path waits at
// the join and an entry is pushed. Only the two paths of the top may go: the other path of who has parted stands still
// until the new entry is gone. A path that comes to the reconvergence PC is cleared; when both are, the entry is
// popped. It issues what pdom issues, with the same masks, in another order.
//
// Ours, where the source is silent: a table pushes an entry for every two targets, the lowest addresses on top. A call
// pushes an entry with one path. Both paths may have a branch under way; the one that parts second is pushed on top of
// what the first has pushed. Where both paths of the top are at barriers or warp-wide instructions, the entry below
// goes. Which path goes is the scheduler's to say, as between warps: under gto the one that went last while it can,
// else the left one.
#pragma once

#include "divergence/support/split_tables.h"

namespace heddle {

class DualPath : public SplitTables {
 public:
  using SplitTables::SplitTables;
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override { return passes_others(warp, pc); }
  StateCost cost() const override;

 private:
  bool all_go() const override { return false; }
  void choose(StaticWarp& own) override;
  void part(StaticWarp& own, WarpId id, const Paths& paths) override;
  void go_on(StaticWarp& own, WarpId last, const Join& join) override;
  void dissolve(StaticWarp& own, const Join& join) override;
  void fill(StaticWarp& own, WarpId id, unsigned entry, uint32_t join, unsigned depth, std::span<const Target> two);

  unsigned highest_ = 0;  // entry there was
};

}  // namespace heddle
