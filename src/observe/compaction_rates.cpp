#include "observe/compaction_rates.h"

#include "stats/kernel_stats.h"

namespace heddle {

void CompactionRates::launch_began(const LaunchBegan& launch) {
  census_.emplace(launch.kernel, launch.taint);
  heard_ = false;
  on_data_.clear();
}

void CompactionRates::came(const Scene& scene, const Came& event) {
  heard_ = true;
  if (!event.outcome.on_data.empty()) on_data_.insert({scene.core, event.block, event.branch});
}

void CompactionRates::all_came(const Scene& scene, const AllCame& event) {
  const bool on_data = on_data_.erase({scene.core, event.block, event.branch}) > 0;
  census_->branch(scene.host, event.block, event.branch, event.meets, event.paths, on_data);
}

void CompactionRates::launch_ended(KernelStats& stats) {
  if (!heard_) return;
  stats.compaction = census_->stats();
  for (BranchRecord& record : stats.branch_records) record.block_wide = census_->branch(record.pc);
}

}  // namespace heddle
