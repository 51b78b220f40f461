// vws: variable warp sizing (Rogers, Johnson, O'Connor and Keckler, ISCA 2015). A warp is a gang of slices of a few
// threads; where these do not agree on where to go, they go on in gangs of their own.
//
// Every slice has a reconvergence stack of its own (reconvergence_stack.h). A gang issues as one while its slices are
// at the same place. After a control instruction, and where a slice comes to a join, it parts into gangs, one per
// place, in the order of their lowest lanes; each goes as it can, without waiting for the others. Up to gangs_per_cycle
// may be issued in one cycle, each on its own slices: first of the same warp, then, with a clock, of others
// (other_warps), the lowest first.
//   - regang: a gang that comes by a control instruction, out of a divergence or from a barrier to a place where
//     another gang of its warp stands ready joins it, if all threads of all their slices are there. Nowhere else are
//     gangs compared
//   - part_at_loads: where some slices of a gang have what the next instruction waits for and others do not, they go on
//     by themselves. That needs a scoreboard of registers
//
// Ours, where the source was not at hand: all of regang, and who shares a cycle. With slices as large as warps it
// issues what pdom issues.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "config/config.h"
#include "divergence/mechanism.h"
#include "divergence/support/known_companions.h"
#include "divergence/support/reconvergence_stack.h"

namespace heddle {

class Vws : public Mechanism {
 public:
  static constexpr Key kKeys[] = {
      {"slice", Key::Kind::Integer, "4", "vws: threads of a slice", "1 32"},
      {"gangs_per_cycle", Key::Kind::Integer, "8", "vws: gangs that may be issued in one cycle", "1 32"},
      {"part_at_loads", Key::Kind::Boolean, "true",
       "vws: slices whose loads have come go on without those whose loads have not", "", true},
      {"other_warps", Key::Kind::Boolean, "true", "vws: gangs of different warps may share a cycle", "", true},
  };

  Vws(Host& host, const Config& config);
  Traits traits() const override {
    return {.interleave = true,
            .splits = true,
            .hears_returns = part_at_loads_,
            .by_static_warp = true,
            .beside_kin = !host_.timed || !other_warps_,
            .issue_width = width_};
  }
  void block_start(BlockId block) override;
  void resolve(WarpId gang, std::span<const Outcome> outcomes) override;
  std::optional<Pc> goes_on(WarpId gang, Pc pc) const override;
  bool goes_alone(WarpId gang) const override;
  void arrive(WarpId gang) override;
  void issued(WarpId gang) override;
  void release(WarpId gang) override;
  WarpId companion(WarpId gang, const WarpSet& ready) override;
  void returned(WarpId parent, LaneMask lanes, bool hit) override;
  State state(BlockId block) const override;
  StateCost cost() const override;
  std::vector<Counter> counters() const override;

 private:
  using Stack = ReconvergenceStack<LaneMask>;
  static bool is_whole(const Stack& slice) { return slice.top().mask == slice[0].mask; }
  struct StaticWarp {
    unsigned row = 0;
    std::vector<Stack> slices;
    std::array<WarpId, kRow> gangs;  // of the slices; kNoWarp: all its threads have exited
    // Calls f(slice, its number) for those of a gang.
    template <class F>
    void for_each_of(WarpId gang, F&& f) {
      for (size_t i = 0; i < slices.size(); ++i)
        if (gangs[i] == gang) f(slices[i], i);
    }
    const Stack& first_of(WarpId gang) const {
      return slices[static_cast<size_t>(std::find(gangs.begin(), gangs.end(), gang) - gangs.begin())];
    }
  };

  StaticWarp& of(WarpId gang) { return warps_[owner_[gang]]; }
  const StaticWarp& of(WarpId gang) const { return warps_[owner_[gang]]; }
  void own(WarpId gang, size_t index);
  void follow(Stack& slice, Pc pc, const Outcome& outcome);
  void settle(StaticWarp& own, WarpId gang);  // its slices have moved: it goes on, or parts
  void place(StaticWarp& own, WarpId gang);   // where its slices are
  void regang(StaticWarp& own, WarpId gang);
  template <class F>
  WarpId part(StaticWarp& own, WarpId gang, F&& leaves);  // slices that leave it are a gang of their own
  void unite(StaticWarp& own, WarpId gang, WarpId other);
  void stand_at(StaticWarp& own, WarpId gang, Pc pc) const;  // all its slices
  WarpId look_for_companion(WarpId gang, const WarpSet& ready);
  LaneMask lanes_of(WarpId gang) const;
  LaneMask slices_of(WarpId gang) const;
  bool is_free(WarpId gang) const { return (lanes_of(gang) & taken_).empty(); }  // taken_ is of whole slices
  bool is_whole(const StaticWarp& own, WarpId gang) const;

  const unsigned slice_, width_;
  const bool part_at_loads_, other_warps_;
  std::vector<StaticWarp> warps_;  // by first thread / W
  std::vector<size_t> owner_;      // by gang
  KnownCompanions companions_;     // of all that are ready, without a clock
  CoreCycle cycle_{0};             // the last in which something was issued,
  LaneMask taken_;                 // its lanes,
  unsigned cursor_ = 0;            // and how far the others have been looked through
  std::vector<Target> targets_;    // of a slice, where a gang's threads part
  size_t deepest_ = 1, entries_ = 1;
  uint64_t made_ = 0, united_ = 0;
};

}  // namespace heddle
