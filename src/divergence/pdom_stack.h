// pdom: a stack per static warp that reconverges at immediate post-dominators. The baseline of all five papers.
//
// An entry is (PC, RPC, mask). A divergent branch sets the top's PC to its RPC and pushes the fall-through path, then
// the taken path, which runs first; of an indirect branch the lowest address. An entry whose next PC is its RPC is
// popped. Where the branch's RPC is the top's own, the paths replace the top, so that loops do not grow the stack. A
// path that starts at the RPC is not pushed. An RPC is a pair (call depth, PC): the end of a function is the return
// address at the caller's depth.
#pragma once

#include "divergence/mechanism.h"

namespace heddle {

class PdomStack : public Mechanism {
 public:
  using Mechanism::Mechanism;
  void block_start(BlockSlot slot) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  void arrive(WarpId warp) override;
  void explain(BlockSlot slot, std::string& text) const override;
  StateCost cost() const override;

  struct Point {  // a PC at a call depth; pc == kNoPc: never reached
    Pc pc = kNoPc;
    unsigned depth = 0;
    bool operator==(const Point&) const = default;
  };
  struct Entry {
    Point at, reconvergence;
    LaneMask mask;
  };
  const std::vector<Entry>& stack(WarpId warp) const { return stacks_[warp]; }  // for tests

 private:
  Point reconvergence_of(const std::vector<Entry>& stack, Pc branch) const;
  void diverge(std::vector<Entry>& stack, Pc branch, std::span<const Target> targets, Point reconvergence);
  void settle(WarpId warp);  // pops what has arrived, and makes the top the warp

  std::vector<std::vector<Entry>> stacks_;  // by warp
  unsigned deepest_ = 1;
};

}  // namespace heddle
