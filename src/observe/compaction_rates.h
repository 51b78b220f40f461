// How well the paths of divergent branches compact (compaction_census.h), under mechanisms with a stack per block: the
// others tell of no arrivals, and their launches have no rates.
#pragma once

#include <optional>
#include <set>
#include <tuple>

#include "divergence/observer.h"
#include "observe/compaction_census.h"

namespace heddle {

class CompactionRates : public Observer {
 public:
  uint32_t wants() const override { return kArrivals; }
  void launch_began(const LaunchBegan& launch) override;
  void came(const Scene& scene, const Came& event) override;
  void all_came(const Scene& scene, const AllCame& event) override;
  void launch_ended(KernelStats& stats) override;
  const CompactionCensus& census() const { return *census_; }

 private:
  std::optional<CompactionCensus> census_;
  bool heard_ = false;
  std::set<std::tuple<unsigned, BlockId, Pc>> on_data_;  // branches of blocks of cores that depend on data for someone
};

}  // namespace heddle
