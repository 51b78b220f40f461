// A time series: all counters of the machine every so many cycles.
#pragma once

#include <utility>
#include <vector>

#include "divergence/observer.h"
#include "stats/kernel_stats.h"

namespace heddle {

class TimeSeries : public Observer {
 public:
  explicit TimeSeries(Cycle every) : every_(every) {}
  uint32_t wants() const override { return 0; }
  Cycle sample_every() const override { return every_; }
  void sampled(const Sample& sample) override { samples_.push_back(sample); }
  void launch_ended(KernelStats& stats) override {
    if (stats.timing) stats.timing->samples = std::exchange(samples_, {});
  }

 private:
  const Cycle every_;
  std::vector<Sample> samples_;
};

}  // namespace heddle
