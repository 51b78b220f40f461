// pdom: a stack per static warp that reconverges at immediate post-dominators (reconvergence_stack.h). The baseline of
// all five papers. A branch at which the warp does not diverge only changes the top's PC. With `lcp` it also
// reconverges at likely-convergence points.
#pragma once

#include "divergence/mechanism.h"
#include "divergence/support/reconvergence_stack.h"

namespace heddle {

class Pdom : public Mechanism {
 public:
  using Stack = ReconvergenceStack<LaneMask>;
  static constexpr Key kKeys[] = {kLikelyKey};

  Pdom(Host& host, const Config& config) : Pdom(host, Stack::Rules{.likely = config.boolean("lcp")}) {}
  void block_start(BlockId block) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override { return stacks_[warp].goes_on(pc); }
  void arrive(WarpId warp) override;
  State state(BlockId block) const override;
  StateCost cost() const override;

  const Stack& stack(WarpId warp) const { return stacks_[warp]; }  // for tests

 protected:
  Pdom(Host& host, Stack::Rules rules) : Mechanism(host), rules_(rules) {}

 private:
  void settle(WarpId warp);  // pops what has arrived, and makes the top the warp
  void note_depth(const Stack& stack);

  const Stack::Rules rules_;
  std::vector<Stack> stacks_;  // by warp
  size_t deepest_ = 1, entries_ = 1;
};

}  // namespace heddle
