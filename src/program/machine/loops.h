// The innermost loop of each basic block.
#pragma once

#include <vector>

#include "program/kernel.h"

namespace heddle {

struct Loop {
  uint32_t header = 0;
  std::vector<uint32_t> latches;
  std::vector<bool> body;  // by block
  bool has_inner = false;  // another loop lies in it
  int32_t before = -1;     // the one block from which it is entered; -1: several
};

class Loops {
 public:
  explicit Loops(const Kernel& kernel);
  const Loop* around(uint32_t block) const;  // the innermost; null: none
  // Is it done in every trip of an innermost loop?
  bool in_every_trip(uint32_t block) const;

 private:
  void add(uint32_t latch, uint32_t header);

  const Kernel& kernel_;
  std::vector<Loop> loops_;
};

}  // namespace heddle
