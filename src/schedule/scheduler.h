// Who is issued next: a scheduler chooses among ready warps. It knows nothing of masks.
//
// Life cycle: one per core and launch. choose() is called whenever an instruction can be issued, with the ready warps
// in the order of their slots (never empty); the answer is an index into them. Warps with the smallest key come first
// (a mechanism's wish, see Warp::key): choose() is only given those.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.h"

namespace heddle {

struct Candidate {
  WarpId warp;   // the slot
  uint64_t age;  // the order in which warps were opened: smaller is older
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  virtual size_t choose(std::span<const Candidate> ready) = 0;
};

}  // namespace heddle
