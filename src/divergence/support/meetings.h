// Where threads wait for others: barriers and warp-wide instructions. A warp of which parts stand still looks ahead for
// them, because whoever comes there must let the others go on.
#pragma once

#include <vector>

#include "program/kernel.h"

namespace heddle {

class Meetings {
 public:
  explicit Meetings(const Kernel& kernel) : next_(kernel.code.size() + 1, kNoPc) {
    for (size_t pc = kernel.code.size(); pc-- > 0;) {
      const Flow flow = kernel.code[pc].flow;
      next_[pc] = flow == Flow::Barrier || flow == Flow::Sync ? static_cast<Pc>(pc) : next_[pc + 1];
    }
  }
  bool at(Pc pc) const { return next_[pc] == pc; }
  Pc next(Pc from) const { return next_[from]; }  // the first from there on, or kNoPc

 private:
  std::vector<Pc> next_;  // by PC
};

}  // namespace heddle
