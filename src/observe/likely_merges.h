// Counts how often threads met at a likely-convergence point.
#pragma once

#include "divergence/observer.h"
#include "stats/kernel_stats.h"

namespace heddle {

class LikelyMerges : public Observer {
 public:
  uint32_t wants() const override { return kLikelyMerges; }
  void launch_began(const LaunchBegan&) override { merges_ = 0; }
  void likely_merged(const Scene&, const LikelyMerged&) override { ++merges_; }
  void launch_ended(KernelStats& stats) override { stats.likely_merges = merges_; }
  std::shared_ptr<Observer> for_core() const override { return std::make_shared<LikelyMerges>(); }
  void add(const Observer& core) override { merges_ += static_cast<const LikelyMerges&>(core).merges_; }

  uint64_t count() const { return merges_; }  // of this launch

 private:
  uint64_t merges_ = 0;
};

}  // namespace heddle
