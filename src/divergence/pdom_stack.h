// pdom: a stack per static warp that reconverges at immediate post-dominators (reconvergence_stack.h). The baseline of
// all five papers. A branch at which the warp does not part only changes the top's PC.
#pragma once

#include "divergence/mechanism.h"
#include "divergence/reconvergence_stack.h"

namespace heddle {

class PdomStack : public Mechanism {
 public:
  using Stack = ReconvergenceStack<LaneMask>;

  using Mechanism::Mechanism;
  void block_start(BlockSlot slot) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  void arrive(WarpId warp) override;
  void explain(BlockSlot slot, std::string& text) const override;
  StateCost cost() const override;

  const Stack& stack(WarpId warp) const { return stacks_[warp]; }  // for tests

 private:
  void settle(WarpId warp);  // pops what has arrived, and makes the top the warp

  std::vector<Stack> stacks_;  // by warp
  unsigned deepest_ = 1;
};

}  // namespace heddle
