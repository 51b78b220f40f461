// dwf-wb: dynamic warp formation with warp barriers (Fung and Aamodt, HPCA 2011, 2.4).
//
// A static warp stays whole, and merges with no other, until it diverges at a branch. It then gets one barrier, at that
// branch's post-dominator; in between its threads mix in the pool as under dwf (dynamic_warp_formation.h), with others
// that are on their way likewise, and what they diverge at adds no barrier. A thread that comes to its barrier leaves
// its warp and waits; when all live threads of its static warp are there, they go on as that warp. Where the paths of a
// branch meet nowhere in the kernel there is no barrier, and the threads stay in the pool. A branch whose paths meet at
// the end of a function has its barrier where the function returns to.
#pragma once

#include <bit>

#include "divergence/mechanisms/dwf.h"

namespace heddle {

class DwfWb : public Dwf {
 public:
  DwfWb(Host& host, const Config& config)
      : Dwf(host, config), shift_(static_cast<unsigned>(std::countr_zero(host.warp_size()))) {}

  void block_start(BlockId block) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  State state(BlockId block) const override;
  StateCost cost() const override;

 protected:
  uint32_t domain(Pc pc, Hw thread) const override;
  bool may_stop(Pc pc) const override { return barriers_[pc] > 0 || barriers_at_returns_ > 0; }
  bool stops(Pc pc, Hw thread) override;
  void go_by(WarpId warp, const Outcome& outcome) override;
  void diverges(Pc branch, const Threads& by) override;

 private:
  struct StaticWarp {
    bool whole = true;
    Pc barrier = kNoPc;  // kNoPc: at any PC of that depth
    int depth = -1;      // of the barrier; -1: none
    LaneMask waiting;    // by place in the warp
  };

  size_t index_of(Hw thread) const { return thread >> shift_; }
  StaticWarp& warp_of(Hw thread) { return warps_[index_of(thread)]; }
  const StaticWarp& warp_of(Hw thread) const { return warps_[index_of(thread)]; }
  LaneMask live(size_t warp) const;
  void set_barrier(Pc branch, Hw first, bool calls);
  void count_depth(const Outcome& outcome);
  void exited(const Group& group);
  void go_on_whole_if_complete(size_t warp);
  void remember(const StaticWarp& warp, int change);

  const unsigned shift_;            // a static warp has 1 << shift_ threads
  std::vector<StaticWarp> warps_;   // by static warp of the core
  std::vector<uint16_t> depth_;     // by thread: calls
  std::vector<Pc> stopped_at_;      // by static warp: where its threads go on
  std::vector<unsigned> barriers_;  // by PC: barriers there
  unsigned barriers_at_returns_ = 0;
};

}  // namespace heddle
