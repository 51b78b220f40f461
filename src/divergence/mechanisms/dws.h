// dws: dynamic warp subdivision (Meng, Tarjan and Skadron, Dynamic warp subdivision for integrated branch and memory
// divergence tolerance, ISCA 2010). Paths of a branch, and lanes of a load that have their data before the others, go
// on as splits, scheduled like warps; a core has `split_entries` places for them. What is not subdivided, the stack
// does as under pdom: one path at a time, until all are at the join.
//
// Branches are subdivided where the block at the join is shorter than `subdivide_below` instructions and the table has
// a place for every path. `reconverge=stack` (the paper's BranchLimited): splits wait at the join. `reconverge=pc`
// (BranchBypass): they run past it, and two splits of a warp that stand at the same PC, of the same call and under the
// same join of the stack, unite. It is looked at after every instruction that brings a split where another may be.
//
// `memory`, with a clock only: what becomes of a split whose next instruction waits for data that some of its lanes
// have. `aggress`: where those lanes hit the L1, they go on at once; `lazy`: only if nothing else of the core can go in
// that cycle; `revive`: whenever nothing else of the core can go, whatever brought the data. Under `stack` both parts
// wait for each other before the next control instruction and at the join.
//
// Ours, where the paper was not at hand: a warp that is whole takes no place in the table, a split that has come to its
// join neither; a branch whose paths do not meet in its function is the stack's, and so are calls; who was left behind
// at a load unites with nobody before its data is there; of several splits that could be revived the lowest number is,
// one in a cycle. Which split goes is the scheduler's to say.
#pragma once

#include "config/config.h"
#include "divergence/support/split_tables.h"

namespace heddle {

class Dws : public SplitTables {
 public:
  static constexpr Key kKeys[] = {
      {"reconverge", Key::Kind::Choice, "pc",
       "dws: splits of a branch wait at its join (stack), or unite where they meet (pc)", "stack pc"},
      {"memory", Key::Kind::Choice, "revive",
       "dws: lanes that have their data go on at once (aggress), if the core would idle (lazy), or later too (revive)",
       "none aggress lazy revive"},
      {"split_entries", Key::Kind::Integer, "16", "dws: splits that a core has places for", "0 65536"},
      {"subdivide_below", Key::Kind::Integer, "50",
       "dws: branches are subdivided whose join block has fewer instructions than this", "0 1000000"},
  };
  Dws(Host& host, const Config& config);

  Traits traits() const override {
    const bool hears = memory_ != Memory::None;
    return {.interleave = true, .splits = true, .hears_returns = hears, .hears_stalls = hears, .by_static_warp = true};
  }
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  void arrive(WarpId warp) override;
  void release(WarpId warp) override;
  void issued(WarpId warp) override;
  void returned(WarpId parent, LaneMask lanes, bool hit) override;
  void stalled(WarpId warp) override;
  bool starved() override;
  StateCost cost() const override;
  std::vector<Counter> counters() const override;

 private:
  enum class Memory : uint8_t { None, Aggress, Lazy, Revive };
  bool all_go() const override { return false; }
  void choose(StaticWarp& own) override;
  void part(StaticWarp& own, WarpId id, const Paths& paths) override;
  void go_on(StaticWarp& own, WarpId last, const Join& join) override;
  bool join_sibling(StaticWarp& own, WarpId id, uint32_t join, const CodePoint& at, LaneMask who) override;
  Pc next_sibling(const StaticWarp& own, WarpId id, const Moved& moved) const override;

  static Memory memory_named(std::string_view name);
  bool stands_at(WarpId id, uint32_t join, const CodePoint& at) const;  // and may take in others
  bool subdivides(StaticWarp& own, WarpId id, const Paths& paths);
  size_t going_of(const StaticWarp& own) const;                // splits that may be issued
  bool room(const StaticWarp& own, size_t more) const;         // in the table, for so many splits of it more
  void stack(StaticWarp& own, WarpId id, const Paths& paths);  // the paths run one after the other
  bool unites(WarpId id, Pc pc);                               // with another at pc, and is gone
  LaneMask able(WarpId id) const;                              // lanes that have what it waits for
  void some_came(WarpId id, bool hit);
  bool apart(WarpId id);  // those that are able leave the rest behind

  const bool by_pc_;
  const Memory memory_;
  const size_t places_;
  std::vector<bool> short_join_;  // by PC of a branch
  std::vector<Pc> next_control_;  // by PC: the first from there on that is a control instruction
  WarpSet waiting_;               // splits of which a part may be able to go
  CoreCycle parted_ = kNever;     // when lanes were left behind last
  size_t most_places_ = 0, most_stacked_ = 1;
  uint64_t at_branches_ = 0, at_loads_ = 0, united_ = 0, no_room_ = 0;
};

}  // namespace heddle
