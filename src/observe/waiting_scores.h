// Judges with hindsight (hindsight.h) what warps did at branches: of mechanisms with a stack per block whether each
// waited, of pdom, under which every warp passes on at every branch, whether it should have waited.
//
// To know which warps of a block came to the same branch of pdom, a shadow of each warp's stack makes entries at every
// branch at which a warp may diverge, whether this one does or not, and each entry bears the way it was made: the
// branches and targets behind it. Likely-convergence points are not followed: with `lcp` there are no scores.
#pragma once

#include <map>
#include <vector>

#include "divergence/observer.h"
#include "divergence/support/reconvergence_stack.h"
#include "observe/hindsight.h"

namespace heddle {

class WaitingScores : public Observer {
 public:
  uint32_t wants() const override { return kArrivals; }
  void launch_began(const LaunchBegan&) override;
  void came(const Scene& scene, const Came& event) override;
  void all_came(const Scene& scene, const AllCame& event) override;
  void launch_ended(KernelStats& stats) override;
  const DecisionStats& stats() const { return scores_.stats(); }

 protected:
  DecisionScores scores_;
  bool heard_ = false;  // of anything to judge

 private:
  std::map<std::pair<unsigned, BlockId>, std::vector<BranchArrival>> arrivals_;  // by core and block
};

class PassingScores : public WaitingScores {
 public:
  uint32_t wants() const override { return kIssues | kBranches | kJumps | kBlocks; }
  void launch_began(const LaunchBegan&) override;
  void issued(const Scene& scene, const Issued& event) override;
  void synced(const Scene& scene, const Synced& event) override;
  void branched(const Scene& scene, const Branched& event) override;
  void block_ended(const Scene& scene, BlockId block) override;

 private:
  struct Way {
    uint64_t hash = 0;  // of the branches and targets behind an entry
  };
  struct Path {
    Pc pc;
    LaneMask who;
    Way extra;
  };
  using Stack = ReconvergenceStack<LaneMask, Way>;
  struct Passed {  // a warp that came to a branch
    uint64_t way;  // and what led there
    BranchArrival arrival;
  };

  Stack& stack_of(const Scene& scene, WarpId warp);
  void move_on(Stack& stack, Pc pc);
  void pass(const Scene& scene, const Branched& event, const Outcome& outcome);

  std::vector<std::vector<Stack>> stacks_;                              // by core and warp; empty: not started
  std::map<std::pair<unsigned, BlockId>, std::vector<Passed>> passed_;  // by core and block
};

}  // namespace heddle
