// chap and amd: masks on two stacks, one for conditionals and one for loops (Pixar Chap, 1984; AMD GPUs).
//
// A region's entry holds the threads that go on at its end: those that entered it, less those that have left a region
// around it or have exited. At endif the entry becomes the active mask, at endloop too, if it is not empty: then it
// stays, and the loop runs again. Calls push the mask of the threads that come back on the stack of conditionals. chap
// has no recursion; amd keeps its stacks in step for all threads of a warp and has.
#pragma once

#include "divergence/support/structured_walk.h"

namespace heddle {

class Chap : public StructuredWalk {
 public:
  using StructuredWalk::StructuredWalk;
  StateCost cost() const override;

 protected:
  void start(WarpId warp, LaneMask threads) override;
  void enter(WarpId warp, LaneMask active, Region::Kind kind) override;
  void leave(WarpId warp, LaneMask threads, uint32_t levels, uint32_t where, uint32_t around) override;
  LaneMask join(WarpId warp, LaneMask active, Region::Kind kind, uint32_t where) override;
  LaneMask again(WarpId warp, uint32_t where) override;
  void exit(WarpId warp, LaneMask threads) override;
  void add_waiting(WarpId warp, std::vector<StateEntry>& entries) const override;

 private:
  struct Stacks {
    std::vector<LaneMask> conditionals, loops;
    std::vector<LaneMask>& of(Region::Kind kind);
  };
  std::vector<Stacks> stacks_;  // by warp
};

}  // namespace heddle
