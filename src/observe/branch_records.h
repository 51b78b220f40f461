// Counts what each branch of a kernel did: how often it was executed, how often its threads diverged, and, where taint
// is followed, for how many of them it depended on data.
#pragma once

#include <vector>

#include "divergence/observer.h"
#include "stats/branch_record.h"

namespace heddle {

class BranchRecords : public Observer {
 public:
  uint32_t wants() const override { return taint_ ? uint32_t{kBranches} : 0; }
  BranchCount* branch_counts() override { return taint_ ? nullptr : counts_.data(); }
  void launch_began(const LaunchBegan& launch) override;
  void branched(const Scene& scene, const Branched& event) override;
  void launch_ended(KernelStats& stats) override;
  std::shared_ptr<Observer> for_core() const override { return std::make_shared<BranchRecords>(*this); }
  void add(const Observer& core) override;

 private:
  bool taint_ = false;
  std::vector<BranchRecord> records_;  // by PC
  std::vector<BranchCount> counts_;    // by PC: those that nobody is told of, without taint all
};

}  // namespace heddle
