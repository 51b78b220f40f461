// Splits of a static warp that meet at joins: what multi-path, aware and dual-path share.
//
// A split is a part of a static warp that is issued by itself (Host::open_split). It belongs to a join: the place where
// its threads meet again, and whom they wait for there. Threads that part at a branch become splits of a join at the
// branch's immediate post-dominator; a split that comes to its join is gone, and when the join waits for nobody any
// more its threads are one split again, of the join above. A join is at a call depth: the end of a function is the
// return address at the caller's depth, as in reconvergence_stack.h, and who calls waits for who returns. The join of
// the kernel's end is the root; nobody comes there.
//
// Mechanisms say how threads part, and which splits may go. Where not all may, a split that comes to a barrier or a
// warp-wide instruction lets others go on instead of it (`meets`), until it is released.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "divergence/mechanism.h"
#include "divergence/support/code_point.h"
#include "divergence/support/meetings.h"

namespace heddle {

class SplitTables : public Mechanism {
 public:
  explicit SplitTables(Host& host) : Mechanism(host), meetings_(host.kernel()) {}
  Traits traits() const override { return {.splits = true}; }
  void block_start(BlockId block) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  void arrive(WarpId warp) override;
  void release(WarpId warp) override;
  State state(BlockId block) const override;

 protected:
  static constexpr uint32_t kRoot = 0, kNone = ~uint32_t{0};
  struct Join {
    CodePoint at;
    uint32_t parent = kNone;  // the join its threads belong to behind it
    LaneMask mask, pending;   // all its threads; those that have not come
    WarpId parted = kNoWarp;  // the split that goes on there, where the mechanism keeps it
    CoreCycle last_came{0};   // when somebody came last; for who has come
    bool stacked = false;     // dws: its paths run one after the other,
    LaneMask running{};       // this one now
    LaneMask here() const { return mask.without(pending); }
  };
  struct Split {
    uint32_t owner = 0;  // its static warp
    uint32_t join = kRoot;
    unsigned depth = 0;
    bool goes = true;        // may be issued
    bool meets = false;      // waits at a barrier or a warp-wide instruction, or is about to
    bool fresh = true;       // has not issued anything
    unsigned entry = 0;      // dual-path: its place on the stack,
    WarpId other = kNoWarp;  // and the other path of it
    bool waits = false;      // dws: for registers,
    bool behind = false;     // and others went on without it
    LaneMask there{};        // dws: of an instruction under way, lanes that have their data,
    CoreCycle hit = kNever;  // and when it was found that some have hit
  };
  struct StaticWarp {
    unsigned row = 0;
    std::vector<WarpId> splits;  // in the order in which they came
    std::vector<Join> joins;
    std::vector<uint32_t> free;                                             // of joins
    size_t spilled_splits = 0, spilled_joins = 0;                           // beyond the limits
    size_t joins_in_use() const { return joins.size() - free.size() - 1; }  // without the root
  };
  struct Paths {  // of threads that part
    CodePoint join;
    unsigned depth;
    std::span<const Target> targets;
    Pc first;  // the path that comes first; kNoPc: the lowest address
  };

  struct Moved {  // a split, and where it is taken to be
    WarpId id = kNoWarp;
    Pc pc = 0;
  };
  Pc pc_of(WarpId id, const Moved& moved) const { return id == moved.id ? moved.pc : Pc(host_.warp(id).pc); }

  // The mechanism's part. Where threads that part at a branch meet again; kNoPc: where the function ends.
  virtual Pc join_of(Pc branch) const { return host_.kernel().reconvergence[branch]; }
  // May all splits go at any time? Else choose() says who does (Split::goes).
  virtual bool all_go() const = 0;
  virtual void choose(StaticWarp& own) = 0;
  virtual void part(StaticWarp& own, WarpId id, const Paths& paths);
  virtual void jumped(StaticWarp&, WarpId) {}  // to another than the next instruction
  // All have come to a join: its threads go on there. `last` came last and will be closed.
  virtual void go_on(StaticWarp& own, WarpId last, const Join& join) {
    enter(own, last, join.parent, join.at, join.mask);
  }
  virtual void dissolve(StaticWarp&, const Join&) {}  // a join of which nobody goes on
  // Threads of `id` come there by a control instruction: does a split of the same join that stands there take them in?
  virtual bool join_sibling(StaticWarp&, WarpId /*id*/, uint32_t /*join*/, const CodePoint&, LaneMask) { return false; }
  // The lowest PC above the split's own where another may take it in, if `moved` were there.
  virtual Pc next_sibling(const StaticWarp&, WarpId, const Moved& /*moved*/) const { return kNoPc; }

  StaticWarp& of(WarpId id) { return warps_[splits_[id].owner]; }
  const StaticWarp& of(WarpId id) const { return warps_[splits_[id].owner]; }
  Split& split(WarpId id) { return splits_[id]; }
  const Split& split(WarpId id) const { return splits_[id]; }
  uint32_t add_join(StaticWarp& own, const Join& join);
  WarpId enter(StaticWarp& own, WarpId sibling, uint32_t join, const CodePoint& at, LaneMask who);
  void leave(StaticWarp& own, WarpId id);  // for good
  void place(StaticWarp& own, WarpId id, const CodePoint& at);
  void arrange(StaticWarp& own);  // lets those go who may
  Pc ask_at(const StaticWarp& own, WarpId id, const Moved& moved) const;
  // Where a split that jumps to `pc` must be asked next, if it has not come to its join and arrange() would leave the
  // others as they are.
  std::optional<Pc> passes_others(WarpId id, Pc pc) const;
  template <class F>
  void for_each_warp(F&& f) {
    for (StaticWarp& own : warps_) f(own);
  }
  template <class F>
  void for_each_warp(F&& f) const {
    for (const StaticWarp& own : warps_) f(own);
  }
  // Entries beyond these are counted when they are made. 0: none are.
  void limit(size_t splits, size_t joins) {
    split_limit_ = splits;
    join_limit_ = joins;
  }
  uint64_t spilled_splits() const { return spilled_splits_; }
  uint64_t spilled_joins() const { return spilled_joins_; }
  size_t most_splits() const { return most_splits_; }
  size_t most_joins() const { return most_joins_; }

 private:
  CodePoint reconvergence_of(const StaticWarp& own, const Split& split, Pc branch) const;
  void go_to(StaticWarp& own, WarpId id, const CodePoint& at);
  void jump(StaticWarp& own, WarpId id, const CodePoint& at);  // the same by a branch
  void came(StaticWarp& own, WarpId id);                       // to its join
  void exit(StaticWarp& own, WarpId id, LaneMask gone);
  void complete(StaticWarp& own, WarpId last, uint32_t join);
  Join take_join(StaticWarp& own, uint32_t join);  // out of the table
  void note_sizes(StaticWarp& own);
  void add_state(std::vector<StateEntry>& entries, const StaticWarp& own, WarpId id) const;

  std::vector<StaticWarp> warps_;  // by first thread / W
  std::vector<Split> splits_;      // by warp
  const Meetings meetings_;
  size_t most_splits_ = 1, most_joins_ = 0;
  size_t split_limit_ = 0, join_limit_ = 0;
  uint64_t spilled_splits_ = 0, spilled_joins_ = 0;
};

}  // namespace heddle
