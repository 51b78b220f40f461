// takahashi: a control unit that walks through the code, with activity signals that come late (Takahashi, A mechanism
// for SIMD execution of SPMD programs, 1997; Collange 2011, section 2.4). No compiler information.
//
// Every thread has its own PC; those whose PC is the unit's are active. The unit prefers low addresses. What it knows
// of the threads is one step old: at a branch it knows whether somebody is active there, not yet who goes where.
//   - Somebody is active at a branch: the unit goes to the lower of the two addresses that can follow, the next
//     instruction and the target, whether threads go there or not. An unconditional jump forward is no exception: the
//     other side of the `if` may lie behind it.
//   - Nobody is active at a branch: the signals say so, and the unit takes the other address, the higher one. It never
//     passes a thread: where one waits at or below that address, it goes to the lowest that does.
//   - Between branches it takes the next instruction, until it comes to threads that wait there and join.
// So both sides of an `if` are walked even by zero threads, and a loop runs one extra, empty iteration. Slots without
// a thread have no effect (phantoms with a count of 0); a call is stepped over. They end: the unit only moves up while
// it is alone, and the next threads are above it, or it goes there at once.
//
// Where the sources are silent: returns, exits and barriers bring the unit to the lowest thread at once; calls go level
// by level, the deepest first. There is no recursion, and there are no indirect branches.
#pragma once

#include "divergence/support/thread_pcs.h"

namespace heddle {

class Takahashi : public ThreadPcs {
 public:
  explicit Takahashi(Host& host) : ThreadPcs(host) {}
  std::string refuses(const Kernel& kernel) const override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  StateCost cost() const override;

 private:
  void pick(StaticWarp& threads) override;
  void walk(StaticWarp& threads, Pc pc, unsigned depth);  // the unit goes there, whoever is there
  Pc first_choice(Pc branch) const;
  Pc second_choice(Pc pc) const;  // of an instruction that nobody executes; kNoPc: none
};

}  // namespace heddle
