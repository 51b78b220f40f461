// implicit-stack: an address stack that the hardware keeps by itself, without information from the compiler (Collange,
// Daumas, Defour and Parello, SympA'13, 2009). That paper was not at hand: this is a reconstruction from what the
// stack-less paper (Collange 2011, sections 2.2 and 5) says of it.
//
// On divergence the lower address runs first and the other, an entry (address, mask), is pushed. Only the top of the
// stack is ever compared. When the running threads reach the top's address, it is popped and its threads join them: by
// a jump at no cost; by falling into it with one slot more, because the instruction has been fetched for the running
// threads alone and is issued again for all (a phantom with their count). Pops cascade. A jump of all running threads
// beyond the top's address swaps them with the top. So it reconverges at fewer places than stackless: an entry that is
// not the top is passed by.
//
// Where the sources are silent: threads that would be pushed at the top's own address join it, so that loops do not
// grow the stack; threads that come to a barrier or a warp-wide instruction while others are on the stack wait aside,
// and are pushed, and popped, when it lets them go. There are no calls and no indirect branches.
#pragma once

#include "divergence/support/thread_pcs.h"

namespace heddle {

class ImplicitStack : public ThreadPcs {
 public:
  explicit ImplicitStack(Host& host) : ThreadPcs(host) {}
  std::string refuses(const Kernel& kernel) const override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  void arrive(WarpId warp) override;
  StateCost cost() const override;

 private:
  // Those that wait are the stack, its top last.
  void pick(StaticWarp& threads) override;
  Pc next_ask(const StaticWarp& threads, Pc pc) const override;
  void wait(StaticWarp& threads, const Party& party) override;
  static bool at_top(const StaticWarp& threads);
  static void join_top(StaticWarp& threads);  // as often as the running threads are at the top's address
  void jump(StaticWarp& threads, Pc target);

  size_t deepest_ = 1;
};

}  // namespace heddle
