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
#pragma once

#include "config/config.h"
#include "divergence/support/thread_pcs.h"

namespace heddle {

class Stackless : public ThreadPcs {
 public:
  static constexpr Key kKeys[] = {
      {"stackless_pick", Key::Kind::Choice, "min_sp_pc", "stackless: deepest call then lowest PC, or lowest PC alone",
       "min_sp_pc min_pc"},
      {"stackless_every_step", Key::Kind::Boolean, "false",
       "stackless: arbitrate after every instruction (the same result, slower)", ""},
  };
  Stackless(Host& host, const Config& config);
  explicit Stackless(Host& host) : ThreadPcs(host), by_depth_(true), every_step_(false) {}

  Traits traits() const override { return {.every_slot = every_step_}; }
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  StateCost cost() const override;

 protected:
  void pick(StaticWarp& threads) override;

 private:
  const bool by_depth_;
  const bool every_step_;
};

}  // namespace heddle
