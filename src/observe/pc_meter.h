// Counts issue slots by instruction, for a profile. A run of neighbouring instructions under one mask costs two
// additions however long it is: what begins is added at its first PC and taken off behind its last, and counts() sums
// up. (Sums wrap on the way and come out right.)
#pragma once

#include <vector>

#include "base/types.h"
#include "stats/pc_counts.h"

namespace heddle {

class PcMeter {
 public:
  explicit PcMeter(size_t instructions) : changes_(instructions + 1) {}

  void add(Pc first, uint64_t instructions, const PcCounts& each) {
    changes_[first] += each;
    changes_[first + instructions] -= each;
  }
  std::vector<PcCounts> counts() const {  // by PC
    std::vector<PcCounts> result;
    PcCounts now;
    for (size_t pc = 0; pc + 1 < changes_.size(); ++pc) result.push_back(now += changes_[pc]);
    return result;
  }

 private:
  std::vector<PcCounts> changes_;
};

}  // namespace heddle
