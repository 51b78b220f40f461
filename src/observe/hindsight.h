// Which warps had to wait at a branch, seen from behind it (Rhu and Erez, ISCA 2012, 5.1).
//
// Where a set S of warps waits, each path runs as the warps that S's threads on it form in their home lanes, and the
// parts of the others as they are. If all wait, this number is the least there is, summed over the paths. We look for
// the smallest S that reaches it.
//
// For the warps R that pass on: let H(p) be the most threads of a path p in one lane, of all warps. R changes nothing
// if for every path and lane, the warps of R that have threads on the path but none in that lane are no more than
// H(p) minus the threads in that lane. So R is the largest set that fits into those gaps. It is found by branch and
// bound; of several, the one that agrees with most of what the warps did.
#pragma once

#include <boost/container/small_vector.hpp>
#include <span>
#include <vector>

#include "divergence/mechanism.h"
#include "stats/decision_stats.h"

namespace heddle {

// A warp that came to a branch: its home lanes on each path. A path that starts at the RPC is none.
struct BranchArrival {
  struct Part {
    Pc path;
    LaneMask lanes;
  };
  boost::container::small_vector<Part, 2> parts;
  bool waited = false;
  bool diverged = false;
};

// `meets`: a path that starts there has nothing to run.
BranchArrival arrival_of(const Host& host, BlockId block, const Outcome& outcome, Pc meets, bool waited);

struct BestWaiting {
  std::vector<bool> waits;  // by arrival
  bool proven = true;       // the search was not cut short
};
BestWaiting best_waiting(std::span<const BranchArrival> arrivals);

// Scores what was done against what was best, branch by branch.
class DecisionScores {
 public:
  void branch(std::span<const BranchArrival> arrivals);  // all warps of a block that came to it
  void cannot_diverge(bool waited) { ++(waited ? stats_.stall_bypass : stats_.bypass_bypass); }
  const DecisionStats& stats() const { return stats_; }

 private:
  DecisionStats stats_;
};

}  // namespace heddle
