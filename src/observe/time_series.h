// A time series: all counters of the machine every so many cycles.
#pragma once

#include <utility>
#include <vector>

#include "divergence/observer.h"
#include "stats/kernel_stats.h"

namespace heddle {

class TimeSeries : public Observer {
 public:
  explicit TimeSeries(uint64_t every) : every_(every) {}
  uint32_t wants() const override { return 0; }
  uint64_t sample_every() const override { return every_; }
  void sampled(const Sample& sample) override { samples_.push_back(sample); }
  void launch_ended(KernelStats& stats) override {
    if (stats.timing) stats.timing->samples = std::exchange(samples_, {});
  }

 private:
  const uint64_t every_;
  std::vector<Sample> samples_;
};

}  // namespace heddle
