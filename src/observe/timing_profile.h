// Counts, by instruction, the cycles that were waited for it and what its accesses to memory took, for profiles.
// Without a clock it hears nothing.
#pragma once

#include <map>

#include "divergence/observer.h"
#include "stats/kernel_stats.h"

namespace heddle {

class TimingProfile : public Observer {
 public:
  uint32_t wants() const override { return kIssues | kIdle | kAccesses | kFlights; }
  void launch_began(const LaunchBegan& launch) override;
  void issued(const Scene&, const Issued& event) override {
    if (event.beside) profile_.by_pc[event.first].beside += event.slots;
  }
  void idled(const Scene&, const Idled& event) override;
  void completed(const Scene&, const Completed& event) override;
  void accessed(const Scene&, const Accessed& event) override;
  void launch_ended(KernelStats& stats) override;

 private:
  static constexpr size_t kStrides = 64;  // per instruction: who gathers at random has no stride

  WaitProfile profile_;
  std::vector<std::map<int64_t, uint64_t>> strides_;  // by PC: groups with each
  uint64_t told_ = 0;                                 // idle cycles
  bool timed_ = false;
};

}  // namespace heddle
