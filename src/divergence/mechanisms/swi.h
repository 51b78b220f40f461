// swi: as stackless, and a second warp goes on the lanes that the first leaves free (simultaneous warp interweaving;
// Brunie, Collange and Diamos, Simultaneous branch and warp interweaving for sustained GPU performance, ISCA 2012).
//
// Every cycle the threads of one static warp go that stackless would choose, and with them those of another, if all
// their lanes are free: the one with the most threads, of equal ones that of the lowest warp (ours). Lanes are home
// lanes (--lanes). The scheduler chooses the first, and hears of it only.
#pragma once

#include "divergence/mechanisms/stackless.h"
#include "divergence/support/lane_fit.h"

namespace heddle {

class Swi : public Stackless {
 public:
  explicit Swi(Host& host) : Stackless(host), fit_(host) {}
  Traits traits() const override { return {.interleave = true, .by_static_warp = true, .issue_width = 2}; }
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  WarpId companion(WarpId warp, const WarpSet& ready) override { return fit_.beside(warp, ready); }
  StateCost cost() const override;

 private:
  void pick(StaticWarp& threads) override;

  LaneFit fit_;
  size_t most_ = 1;  // places where threads of one warp are
};

}  // namespace heddle
