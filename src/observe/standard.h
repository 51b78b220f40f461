// The instruments a run may ask for, by name of what they find.
#pragma once

#include <string_view>

#include "config/config.h"
#include "divergence/observer.h"

namespace heddle {

struct Instruments {
  bool compaction = false;  // how well branches compact, under mechanisms with a stack per block
  bool scores = false;      // with hindsight: should warps have waited at branches?
  bool profile = false;     // counts by instruction
  Cycle sample = 0;         // a time series, a sample every so many cycles; 0: none
};

// Those asked for, behind those that every run has: branch records and likely merges.
Observers standard_observers(const Instruments& wanted, std::string_view mechanism, const Config& config);

}  // namespace heddle
