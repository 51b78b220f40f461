// A machine of many cores, which go cycle by cycle or ahead of each other.
#pragma once

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/small_gpu.h"

namespace heddle::test {

// On 0 threads: cycle by cycle.
class ManyCores : public Gpu {
 public:
  explicit ManyCores(std::string_view ptx, unsigned threads, const std::atomic<bool>* stop = nullptr,
                     std::string_view preset = "tbc-hpca11", std::string_view mechanism = "pdom",
                     const std::vector<std::string>& settings = {})
      : Gpu(make_config(preset, settings), options_for(threads, stop, mechanism)) {
    load("test.ptx", with_header(ptx));
  }

 private:
  static GpuOptions options_for(unsigned threads, const std::atomic<bool>* stop, std::string_view mechanism) {
    GpuOptions options;
    options.mechanism = mechanism;
    options.timed = true;
    options.ahead = threads > 0;
    options.threads = std::max(1U, threads);
    options.stop = stop;
    return options;
  }
};

}  // namespace heddle::test
