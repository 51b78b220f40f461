// thread-frontiers: threads meet as early as the order of the blocks allows (Diamos, Ashbaugh, Maiyuran, Kerr, Wu and
// Yalamanchili, MICRO 2011).
//
// Blocks have priorities, here their places in Kernel::block_order: loops contiguous, bodies before exits, the lower
// address first where there is a choice. Threads that have parted wait in the frontier of the block that runs, the
// blocks behind it where somebody may be, and who enters a block where others wait joins them. Places are compared at
// branches and at the ends of blocks.
//
// variant=stack: a list of (PC, mask), sorted, one entry per block; the first runs. It is the walk of lorie-strong with
// another memory, and takes tables and recursion too. Calls go level by level, the deepest first.
//
// variant=ptpc, Sandy Bridge as it is: a PC per thread and one of the warp, and nothing that says where threads wait.
// At the end of a block where all live threads were and from which they go one way, the unit goes there. Else it goes
// to the first of the targets that active threads take and of the block's frontier (support/thread_frontier.h), whether
// anybody is there or not. A block with nobody in it is walked instruction by instruction (phantoms with a count of 0);
// at its end the unit goes to the next of the order. No recursion, no indirect branches.
//
// Ours, where the source is silent: a thread at a barrier or a warp-wide instruction waits aside
// (support/thread_pcs.h). The authors let blocks with barriers come after all that can reach them; in this order only a
// way through the head of a loop around it comes to a barrier from behind, so no kernel is refused for that. Calls and
// returns bring ptpc's unit to the first thread at once, and it never passes one that came back from a barrier.
#pragma once

#include <memory>

#include "config/config.h"
#include "divergence/mechanisms/lorie_strong.h"

namespace heddle {

class ThreadFrontiers : public LorieStrong {
 public:
  static constexpr Key kKeys[] = {{"variant", Key::Kind::Choice, "stack",
                                   "thread-frontiers: a sorted list of who waits where, or PCs of threads only",
                                   "stack ptpc"}};
  static std::unique_ptr<Mechanism> make(Host& host, const Config& config);

  using LorieStrong::LorieStrong;
  std::string refuses(const Kernel&) const override { return ""; }
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  StateCost cost() const override;

 private:
  static size_t entries_of(const StaticWarp& threads) {
    return threads.running.size() + threads.waiting.size() + threads.detached.size();
  }
  void pick(StaticWarp& threads) override;

  size_t entries_ = 1;  // most at once
};

class ThreadFrontiersByPc : public LorieStrong {
 public:
  explicit ThreadFrontiersByPc(Host& host);
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  void arrive(WarpId warp) override;
  StateCost cost() const override;

 private:
  void leave(StaticWarp& threads, uint32_t block, uint32_t target, unsigned depth);
  void walk(StaticWarp& threads, Pc pc, unsigned depth);  // the unit goes there, whoever is there
  Pc behind_empty(Pc pc) const;                           // kNoPc: the function ends

  std::vector<uint32_t> frontier_;  // by block: the first place of its frontier
  std::vector<Pc> begin_;           // by place: where the block begins
};

}  // namespace heddle
