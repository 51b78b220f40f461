// Counts issue slots and threads by instruction (pc_meter.h), for profiles.
#pragma once

#include <optional>

#include "divergence/observer.h"
#include "observe/pc_meter.h"
#include "program/kernel.h"
#include "stats/kernel_stats.h"

namespace heddle {

class InstructionProfile : public Observer {
 public:
  uint32_t wants() const override { return kIssues; }
  void launch_began(const LaunchBegan& launch) override { meter_.emplace(launch.kernel.code.size()); }
  void issued(const Scene&, const Issued& event) override {
    const Group& group = event.group;
    const uint64_t threads = group.kind == Group::Kind::Phantom ? 0 : group.count + uint64_t{group.along};
    meter_->add(event.first, event.slots, {1, group.count, threads});
  }
  void synced(const Scene&, const Synced& event) override {
    for (const Group& group : event.groups) meter_->add(event.pc, 1, {1, group.count, 0});
    meter_->add(event.pc, 1, {0, 0, event.executed});
  }
  void launch_ended(KernelStats& stats) override { stats.by_pc = meter_->counts(); }

 private:
  std::optional<PcMeter> meter_;
};

}  // namespace heddle
