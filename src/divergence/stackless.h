// stackless: reconvergence without a stack (Collange, Stack-less SIMT reconvergence at low cost, 2011).
//
// Every thread has its own PC and call depth, which stands for its stack pointer. An arbiter picks the threads of a
// static warp that run: the deepest call level first, then the lowest PC (min(SP:PC)); all threads at that PC run,
// whatever their depth. There are no ties: who shares the PC shares the slot. `stackless_pick = min_pc` leaves the
// call level out, which loses reconvergence behind calls to functions at higher addresses (listing 1 of the paper).
//
// The arbiter is asked only where the order can change: after control instructions, when the running threads fall
// into the PC of waiting ones (ask_at), after a barrier and after exits. Between, the running threads stay the lowest
// of the deepest level: the others do not move. `stackless_every_step` asks after every instruction all the same.
//
// Threads at a barrier or a warp-wide instruction do not hold up the rest of their static warp: where others are
// left, the threads that come there are detached as a warp of their own, and a second warp goes on with the others.
// Released threads come back to the arbiter.
#pragma once

#include <span>
#include <vector>

#include "config/config.h"
#include "divergence/mechanism.h"

namespace heddle {

class Stackless : public Mechanism {
 public:
  static constexpr Key kKeys[] = {
      {"stackless_pick", Key::Kind::Choice, "min_sp_pc", "stackless: deepest call then lowest PC, or lowest PC alone",
       "min_sp_pc min_pc"},
      {"stackless_every_step", Key::Kind::Boolean, "false",
       "stackless: arbitrate after every instruction (the same result, slower)", ""},
  };
  Stackless(Host& host, const Config& config);

  Traits traits() const override { return {.every_slot = every_step_}; }
  void block_start(BlockSlot slot) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  void arrive(WarpId warp) override;
  void release(WarpId warp) override;
  bool yield(BlockSlot slot) override;
  void explain(BlockSlot slot, std::string& text) const override;
  StateCost cost() const override;

 private:
  struct Place {  // threads of one static warp that share PC and depth: the PCs and depths of the paper, sorted by
                  // value
    Pc pc;
    unsigned depth;
    LaneMask who;  // lanes of the row
  };
  struct Detached {
    WarpId warp;
    std::vector<Place> places;
  };
  struct StaticWarp {
    BlockSlot block = 0;
    unsigned row = 0;
    WarpId warp = 0;             // carries the running threads, if there are any
    std::vector<Place> running;  // all at the warp's PC
    std::vector<Place> waiting;
    std::vector<Detached> detached;
  };

  StaticWarp& of(WarpId warp);
  void put(std::vector<Place>& places, Pc pc, unsigned depth, LaneMask who) const;
  bool before(const Place& a, const Place& b) const;
  void stop(StaticWarp& threads);  // the running threads wait at their PC like all others
  bool under_way(const StaticWarp& threads) const;
  void take_over(StaticWarp& threads, WarpId warp);
  void arbitrate(StaticWarp& threads);
  void pick(StaticWarp& threads);
  void detach(StaticWarp& threads);
  void show(StaticWarp& threads);
  void explain(const std::vector<Place>& places, std::string_view what, std::string& text) const;

  const bool by_depth_;
  const bool every_step_;
  std::vector<StaticWarp> warps_;  // by first thread / W
  std::vector<Pc> next_meeting_;   // by PC: the next barrier or warp-wide instruction from there on
};

}  // namespace heddle
