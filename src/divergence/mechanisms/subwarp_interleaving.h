// subwarp-interleaving: `its`, but a group of threads that waits for memory makes room for another group of its warp
// (Damani and others, GPU subwarp interleaving, HPCA 2022). Barriers, branches and joins are those of `its`.
//
// When the next instruction of the running split waits for a load that has missed the caches, and at least
// stalled_share of the core's warps cannot go, the newest split of its warp that can issue takes over, switch_cycles
// later. The one that made room is stalled. It waits behind all that are pending, the one that stalled first in front,
// until its data is there and the running split blocks, yields, exits or stalls. si_yield: a split makes room right
// behind each of its loads, too, whatever the share, so that the other's load goes out before the first use of its own.
//
// Ours, where the source is silent: while nobody can take over, the running split stays, and goes on without delay when
// its data comes. Where the running split blocks, who can issue goes before who cannot, without delay: only who makes
// room for memory's sake costs switch_cycles. Threads that have yielded never take over: they wait for others. Warps of
// which all wait at barriers count among those that cannot go.
//
// It hears of loads where the scoreboard is one of registers; elsewhere, and without a clock, it is `its`.
#pragma once

#include "divergence/mechanisms/its.h"

namespace heddle {

class SubwarpInterleaving : public Its {
 public:
  static constexpr Key kKeys[] = {
      Its::kKeys[0],
      Its::kKeys[1],
      Its::kKeys[2],
      Its::kKeys[3],
      {"stalled_share", Key::Kind::Integer, "50",
       "subwarp-interleaving: percent of a core's warps that must be stalled before threads make room; 0: always",
       "0 100", true},
      {"switch_cycles", Key::Kind::Integer, "6",
       "subwarp-interleaving: cycles until the threads that take over may issue", "0 1000", true},
      {"subwarps", Key::Kind::Integer, "32",
       "subwarp-interleaving: groups of a warp's threads that may be under way; 1: as its", "1 32", true},
      {"si_yield", Key::Kind::Boolean, "false",
       "subwarp-interleaving: threads make room behind each of their loads, too", "", true},
  };

  SubwarpInterleaving(Host& host, const Config& config);
  Traits traits() const override { return {.splits = true, .hears_stalls = true, .meets_anywhere = true}; }
  void issued(WarpId warp) override;
  void arrive(WarpId warp) override;
  void stalled(WarpId) override { interleave(); }
  bool starved() override { return interleave(); }
  StateCost cost() const override;
  std::vector<Counter> counters() const override;

 private:
  bool choose(StaticWarp& warp) override;
  bool interleave();                 // all warps that wait for memory; true: something has changed
  bool make_room(StaticWarp& warp);  // true: another split runs now
  static size_t stalled_of(const StaticWarp& warp);
  bool somebody_can_take_over(const StaticWarp& warp) const;
  bool can_take_over(const StaticWarp& warp, const Split& split, size_t stalled) const;
  bool waits_for_memory(const StaticWarp& warp) const;  // its running split
  bool enough_are_stalled();
  bool gives_way_behind(Pc load) const;

  const unsigned stalled_share_, switch_cycles_;
  const size_t subwarps_;
  const bool yields_at_loads_;
  uint64_t switches_ = 0;
};

}  // namespace heddle
