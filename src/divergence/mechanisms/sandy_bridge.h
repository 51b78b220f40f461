// sandy-bridge: a PC per thread (Intel HD Graphics from Sandy Bridge on).
//
// A thread that leaves regions sets its PC to the marker that ends the last of them. The PCs are compared with the
// warp's only at these markers, the joins: who is there goes on. The threads that walk are the warp's PC. A function's
// end is one marker whoever has called it, so that a thread must not wait there twice: no recursion.
#pragma once

#include <array>

#include "divergence/support/structured_walk.h"

namespace heddle {

class SandyBridge : public StructuredWalk {
 public:
  using StructuredWalk::StructuredWalk;
  StateCost cost() const override;

 protected:
  void start(WarpId warp, LaneMask threads) override;
  void enter(WarpId, LaneMask, Region::Kind) override {}
  void leave(WarpId warp, LaneMask threads, uint32_t levels, uint32_t where, uint32_t around) override;
  LaneMask join(WarpId warp, LaneMask active, Region::Kind kind, uint32_t where) override;
  LaneMask again(WarpId warp, uint32_t where) override;
  void exit(WarpId warp, LaneMask threads) override;
  void add_waiting(WarpId warp, std::vector<StateEntry>& entries) const override;

 private:
  static constexpr uint32_t kWalks = ~uint32_t{0}, kGone = kWalks - 1;
  using Pcs = std::array<uint32_t, kRow>;  // by lane of the row: an item of the structured code
  LaneMask wake(WarpId warp, uint32_t where);

  std::vector<Pcs> pcs_;  // by warp
};

}  // namespace heddle
