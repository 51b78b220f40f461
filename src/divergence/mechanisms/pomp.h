// pomp and gma: a counter per thread instead of mask stacks (Keryell and Paris, POMP, 1993; Intel GMA).
//
// A thread that is inactive at some nesting is inactive at every deeper one, so that one number says all: 0, it walks;
// n, it waits for the end of the n-th region around the walk, counted from the innermost. A region that begins adds one
// to the counters of those who wait, one that ends takes one off; who comes to 0 goes on. Threads with 1 at the end of
// a loop run it again, which leaves the others' counters as they are. The masks are those of chap at every step, in
// O(log depth) bits per thread. pomp has calls and recursion, gma has no recursion.
#pragma once

#include <array>

#include "divergence/support/structured_walk.h"

namespace heddle {

class Pomp : public StructuredWalk {
 public:
  using StructuredWalk::StructuredWalk;
  StateCost cost() const override;

 protected:
  void start(WarpId warp, LaneMask threads) override;
  void enter(WarpId warp, LaneMask active, Region::Kind kind) override;
  void leave(WarpId warp, LaneMask threads, uint32_t levels, uint32_t where, uint32_t around) override;
  LaneMask join(WarpId warp, LaneMask active, Region::Kind kind, uint32_t where) override;
  LaneMask again(WarpId warp, uint32_t where) override;
  void exit(WarpId warp, LaneMask threads) override;
  void add_waiting(WarpId warp, std::vector<StateEntry>& entries) const override;

 private:
  static constexpr uint32_t kGone = ~uint32_t{0};
  using Counters = std::array<uint32_t, kRow>;  // by lane of the row
  LaneMask at(WarpId warp, uint32_t value) const;
  void count_down(WarpId warp);

  std::vector<Counters> counters_;  // by warp
};

}  // namespace heddle
