// lorie-strong: blocks in the order a compiler numbered them (Lorie and Strong, US patent 4435758; Collange 2011,
// section 2.3).
//
// Every thread has a PC and the number of its block in a relaxed topological order, loop bodies before loop exits
// (program/block_order.cpp). The block with the smallest number runs first; threads that wait for a block join when it
// starts. Whenever running threads come to a new block while others wait, the numbers are compared. Calls go level by
// level, as with one stack pointer per warp: the deepest level first, and threads of different levels never run
// together. Threads that a barrier or a return leaves inside one block run from the lowest PC on and meet. There is no
// recursion, and there are no indirect branches.
#pragma once

#include "divergence/support/thread_pcs.h"

namespace heddle {

class LorieStrong : public ThreadPcs {
 public:
  explicit LorieStrong(Host& host);
  std::string refuses(const Kernel& kernel) const override;
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  StateCost cost() const override;

 protected:
  void pick(StaticWarp& threads) override;
  Pc next_ask(const StaticWarp& threads, Pc pc) const override;
  bool runs_before(const Party& a, const Party& b) const;
  uint32_t number(Pc pc) const { return host_.kernel().block_order[host_.kernel().block_of[pc]]; }
};

}  // namespace heddle
