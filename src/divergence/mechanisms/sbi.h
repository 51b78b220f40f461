// sbi: two paths of a warp go in one cycle, each on its own lanes (simultaneous branch interweaving; Brunie, Collange
// and Diamos, Simultaneous branch and warp interweaving for sustained GPU performance, ISCA 2012). sbi+swi: where no
// other path can, another warp goes on the lanes that are left, as under swi.
//
// The threads of a static warp are contexts, each with a PC at a call depth, kept in order: the deepest call first,
// then the lowest PC. Threads that come where others of their warp stand join them; nothing else makes paths meet. All
// contexts may go, the lowest that can first; with it, in the same cycle, the next that can.
//
// `constrained`: a context waits at a join J (the post-dominator of a branch) while the warp's first lies between the
// first branch in the code that has J and J, or in a call. Else it would run ahead, and never be caught up with.
//
// Contexts at barriers and warp-wide instructions do not count as first. Between warps the scheduler chooses, lowest
// contexts before others; it hears of the first instruction of a cycle only. Ours, where the paper was not at hand: a
// third context goes where the two lowest cannot; sbi before swi; and the ties.
#pragma once

#include "config/config.h"
#include "divergence/mechanism.h"
#include "divergence/support/code_point.h"
#include "divergence/support/known_companions.h"
#include "divergence/support/lane_fit.h"
#include "divergence/support/meetings.h"

namespace heddle {

class Sbi : public Mechanism {
 public:
  static constexpr Key kKeys[] = {{"constrained", Key::Kind::Boolean, "true",
                                   "sbi: who comes to a join waits while the warp's first threads lie before it", ""}};
  Sbi(Host& host, const Config& config) : Sbi(host, config, false) {}
  static std::unique_ptr<Mechanism> make_with_warps(Host& host, const Config& config);  // sbi+swi

  Traits traits() const override {
    return {.interleave = true,
            .wishes = true,
            .splits = true,
            .by_static_warp = true,
            .beside_kin = !warps_too_,
            .issue_width = 2};
  }
  void block_start(BlockId block) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  void arrive(WarpId warp) override;
  void release(WarpId warp) override;
  WarpId companion(WarpId warp, const WarpSet& ready) override;
  State state(BlockId block) const override;
  StateCost cost() const override { return {most_, most_ * (uint64_t{32} + host_.warp_size()), false}; }

 private:
  struct StaticWarp {
    unsigned row = 0;
    std::vector<WarpId> contexts;  // in order
  };
  struct Context {
    uint32_t owner = 0;  // its static warp
    unsigned depth = 0;
  };

  Sbi(Host& host, const Config& config, bool warps);
  StaticWarp& of(WarpId id) { return warps_[contexts_[id].owner]; }
  void note_opened(WarpId id, const Context& context);
  void find_joins();
  WarpId look_for_companion(WarpId id, const WarpSet& ready);
  void join(WarpId id, LaneMask who);
  void add(StaticWarp& own, WarpId sibling, const CodePoint& at, LaneMask who);
  void place(StaticWarp& own, WarpId id, const CodePoint& at);
  WarpId standing_at(const StaticWarp& own, const CodePoint& at, WarpId besides) const;
  void arrange(StaticWarp& own);  // order, and who waits
  static bool goes_before(const CodePoint& a, const CodePoint& b) {
    return a.depth != b.depth ? a.depth > b.depth : a.pc < b.pc;
  }
  CodePoint at(WarpId id) const { return {host_.warp(id).pc, contexts_[id].depth}; }
  bool waits(const CodePoint& join, const CodePoint& first) const;  // who is at one while the warp's first is there
  bool has_met(WarpId id) const {                                   // waits at a barrier or a warp-wide instruction
    const WarpState state = host_.warp(id).state;
    return state == WarpState::AtBarrier || state == WarpState::AtSync;
  }
  // Of the index-th of these contexts, in order:
  Pc ask_at(const std::vector<WarpId>& all, size_t index, Pc pc) const;  // if it is at pc
  bool keeps_place(const std::vector<WarpId>& all, size_t index, const CodePoint& to) const;
  bool stays_as_it_is(const std::vector<WarpId>& all, size_t index, bool waits, bool next) const;

  const bool constrained_, warps_too_;
  const Meetings meetings_;
  std::vector<Pc> first_branch_, next_join_;  // by PC: of a join, the first branch that has it; the join from there on
  std::vector<StaticWarp> warps_;             // by first thread / W
  std::vector<Context> contexts_;             // by warp
  KnownCompanions siblings_;                  // of all that are ready
  LaneFit fit_;
  unsigned most_ = 1;
};

}  // namespace heddle
