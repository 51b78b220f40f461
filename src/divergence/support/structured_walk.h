// The walk that the structured family shares: chap, amd, pomp, gma, sandy-bridge (section 2 of Collange, Stack-less
// SIMT reconvergence at low cost, 2011).
//
// The ISA has if/endif, loop/break/endloop and no jumps (program/structure.h). One PC per static warp goes through the
// structured code from top to bottom. A thread at a branch goes on with the walk, or leaves a number of regions: then
// it waits at the end of the last one, where the walk picks it up again. At the end of a loop the walk goes back if any
// thread waits for the next iteration, which makes all of them run it together. A call runs the function's body with
// the threads that called; they come back together. While no thread is active the walk jumps to the end of the
// innermost region, then of the one around it, until somebody waits there. Markers and such jumps cost no slot. The
// walk alone decides the order, there are no ties.
//
// What differs between the mechanisms is how they know which threads wait where; they tell it in the functions below.
// All must come to the same masks. Exited threads are gone from everywhere. Indirect jumps and calls have no place in
// such an ISA. Barriers and warp-wide instructions stop the whole static warp, as under pdom.
#pragma once

#include <vector>

#include "divergence/mechanism.h"
#include "program/structure.h"

namespace heddle {

class StructuredWalk : public Mechanism {
 public:
  using Region = Structure::Region;

  StructuredWalk(Host& host, bool recursion);
  std::string refuses(const Kernel& kernel) const override;
  void block_start(BlockId block) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  void arrive(WarpId warp) override;
  State state(BlockId block) const override;

 protected:
  // The bookkeeping, by warp. Regions are begun and ended in nested order; `active` are the threads that walk.
  virtual void start(WarpId warp, LaneMask threads) = 0;
  virtual void enter(WarpId warp, LaneMask active, Region::Kind kind) = 0;
  // Active threads leave `levels` regions and wait at the item `where`, the end of the last of them. `around` is the
  // innermost region they leave.
  virtual void leave(WarpId warp, LaneMask threads, uint32_t levels, uint32_t where, uint32_t around) = 0;
  // The walk is at the end of the innermost region, which is no loop. Who goes on?
  virtual LaneMask join(WarpId warp, LaneMask active, Region::Kind kind, uint32_t where) = 0;
  // The same at the end of a loop: who runs it again? If nobody does, the region has ended.
  virtual LaneMask again(WarpId warp, uint32_t where) = 0;
  virtual void exit(WarpId warp, LaneMask threads) = 0;
  // " [waits …]" for a person.
  virtual void add_waiting(WarpId warp, std::vector<StateEntry>& entries) const = 0;

  const Structure& structure() const { return *structure_; }
  unsigned deepest_regions() const { return deepest_regions_; }  // open at a time, over all calls
  unsigned deepest_calls() const { return deepest_calls_; }

 private:
  struct Frame {  // where a call goes on
    uint32_t item;
    Pc pc;
  };
  struct Walk {
    uint32_t item = 0;       // the block that runs
    unsigned regions = 0;    // that are open
    LaneMask alive, active;  // lanes of the row
    std::vector<Frame> frames;
  };

  static constexpr uint32_t kResumed = ~uint32_t{0};  // no item: a block goes on in its middle

  void call(WarpId warp, Pc target);
  void leave_function(WarpId warp);
  void go(WarpId warp, std::span<const Target> targets);
  void walk(WarpId warp, uint32_t item);
  void begin_region(WarpId warp, const Structure::Item& item);
  uint32_t end_region(WarpId warp, uint32_t item);
  uint32_t return_from(WarpId warp);
  void show(WarpId warp, Pc pc);

  const std::shared_ptr<const Structure> structure_;
  const bool recursion_;
  std::vector<Walk> walks_;  // by warp
  unsigned deepest_regions_ = 0, deepest_calls_ = 0;
};

}  // namespace heddle
