// pdom: a stack per static warp that reconverges at immediate post-dominators (reconvergence_stack.h). The baseline of
// all five papers. A branch at which the warp does not part only changes the top's PC. With `lcp` it also reconverges
// at likely-convergence points.
//
// Where somebody scores decisions (host.scores), every warp is taken to pass on at every branch. To know which warps
// came to the same one, entries bear the way they were made, and a branch makes entries also where the warp does not
// part; these issue nothing and are no part of the state. With `lcp` there are no scores.
#pragma once

#include <unordered_map>

#include "divergence/mechanism.h"
#include "divergence/support/hindsight.h"
#include "divergence/support/reconvergence_stack.h"

namespace heddle {

class Pdom : public Mechanism {
 public:
  struct Way {           // scores
    uint64_t hash = 0;   // of the branches and targets behind an entry
    bool alone = false;  // the warp did not part there
  };
  using Stack = ReconvergenceStack<LaneMask, Way>;
  static constexpr Key kKeys[] = {kLikelyKey};

  Pdom(Host& host, const Config& config) : Pdom(host, Stack::Rules{.likely = config.boolean("lcp")}) {}
  void block_start(BlockSlot slot) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  void arrive(WarpId warp) override;
  void block_end(BlockSlot slot) override;
  Traits traits() const override { return {.decides = !rules_.likely && !rules_.join_slots}; }
  void explain(BlockSlot slot, std::string& text) const override;
  StateCost cost() const override;

  const Stack& stack(WarpId warp) const { return stacks_[warp]; }  // for tests

 protected:
  Pdom(Host& host, Stack::Rules rules) : Mechanism(host), rules_(rules) {}

 private:
  void settle(WarpId warp);  // pops what has arrived, and makes the top the warp
  void note_depth(const Stack& stack);

  // Scores.
  struct ScoredPath {
    Pc pc;
    LaneMask who;
    Way extra;
  };
  using Arrivals = std::unordered_map<uint64_t, std::vector<BranchArrival>>;  // by branch and way
  void branch_scored(WarpId warp, const Outcome& outcome);
  std::vector<ScoredPath> scored_paths(Stack& stack, Pc branch, const Outcome& outcome) const;
  void note_arrival(WarpId warp, const Outcome& outcome);

  const Stack::Rules rules_;
  std::vector<Stack> stacks_;  // by warp
  size_t deepest_ = 1, entries_ = 1;
  std::vector<Arrivals> arrivals_;  // by block slot
};

}  // namespace heddle
