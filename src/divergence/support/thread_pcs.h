// Threads with PCs of their own, by static warp: what stackless, lorie-strong, takahashi, implicit-stack and
// thread-frontiers share.
//
// The threads of a static warp run (all at the PC of the warp that carries them), wait at a PC of their own, or are
// detached. After control instructions, at ask_at, after barriers and exits the policy, pick(), chooses among those
// that wait who runs next.
//
// Threads at a barrier or a warp-wide instruction do not hold up the rest of their static warp: where others are
// left, the threads that come there are detached as a warp of their own, and a second warp goes on with the others.
// Released threads come back to wait with the rest.
//
// A policy can also charge slots that execute nothing (show_phantom); the empty resolve() that follows is its own.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "divergence/mechanism.h"
#include "divergence/support/meetings.h"

namespace heddle {

class ThreadPcs : public Mechanism {
 public:
  explicit ThreadPcs(Host& host) : Mechanism(host), meetings_(host.kernel()) {}
  void block_start(BlockId block) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  void arrive(WarpId warp) override;
  bool goes_alone(WarpId warp) const override;
  void release(WarpId warp) override;
  State state(BlockId block) const override;

 protected:
  struct Party {  // threads of one static warp that share PC and depth
    Pc pc;
    unsigned depth;
    LaneMask who;  // lanes of the row
  };
  struct Detached {
    WarpId warp;
    std::vector<Party> parties;
  };
  struct StaticWarp {
    BlockId block{0};
    unsigned row = 0;
    WarpId warp{0};              // carries the running threads or a phantom, if there are any
    std::vector<Party> running;  // all at the warp's PC
    std::vector<Party> waiting;
    std::vector<Detached> detached;
    bool phantom = false;  // the warp's next slot executes nothing
  };

  // Moves threads that share one PC from waiting, where somebody is, to running.
  virtual void pick(StaticWarp& threads) = 0;
  // The lowest PC above `pc` where the running threads, which are there, must stop because of those that wait.
  virtual Pc next_ask(const StaticWarp& threads, Pc pc) const;
  // These threads wait. Who shares PC and depth with others that do waits with them.
  virtual void wait(StaticWarp& threads, const Party& party);

  // What pick() may be made of: the first party runs, with all others that go together with it.
  template <class Before, class Together>
  static void run_first(StaticWarp& threads, Before&& before, Together&& together);

  StaticWarp& of(WarpId warp) { return warps_[owner_[warp]]; }
  const StaticWarp& of(WarpId warp) const { return warps_[owner_[warp]]; }
  const Meetings& meetings() const { return meetings_; }
  static void set_depth(StaticWarp& threads, Outcome::Kind kind);   // of the running threads, after a call or return
  void part(StaticWarp& threads, std::span<const Target> targets);  // the running threads wait where they go
  void arbitrate(StaticWarp& threads);                              // pick() among all that are not detached
  void go(StaticWarp& threads);                                     // the running threads, if this is no meeting
  void show(StaticWarp& threads);                                   // the running threads are the warp
  Pc asked_at(const StaticWarp& threads, Pc pc) const;              // its ask_at, at that PC
  // What goes_on() may say of a policy: pick() would choose them again, if they are before all that wait.
  template <class Before>
  std::optional<Pc> goes_first(const StaticWarp& threads, Pc pc, Before&& before) const;
  void show_phantom(StaticWarp& threads, Pc pc, unsigned depth, unsigned count);
  void stop(StaticWarp& threads);  // the running threads wait at their PC like all others

 private:
  WarpId open(BlockId block, const Group& group, size_t index);
  bool carried(const StaticWarp& threads) const { return !threads.running.empty() || threads.phantom; }
  bool under_way(const StaticWarp& threads) const;
  void take_over(StaticWarp& threads, WarpId warp);
  void detach(StaticWarp& threads);

  std::vector<StaticWarp> warps_;  // by first thread / W
  std::vector<size_t> owner_;      // by warp: whose it is
  const Meetings meetings_;
};

template <class Before>
std::optional<Pc> ThreadPcs::goes_first(const StaticWarp& threads, Pc pc, Before&& before) const {
  if (threads.running.size() > 1 || (!threads.waiting.empty() && meetings_.at(pc))) return std::nullopt;
  const Party there{pc, threads.running[0].depth, {}};
  for (const Party& party : threads.waiting)
    if (!before(there, party)) return std::nullopt;
  return asked_at(threads, pc);
}

template <class Before, class Together>
void ThreadPcs::run_first(StaticWarp& threads, Before&& before, Together&& together) {
  std::vector<Party>& waiting = threads.waiting;
  size_t first = 0;
  for (size_t i = 1; i < waiting.size(); ++i)
    if (before(waiting[i], waiting[first])) first = i;
  const Party chosen = waiting[first];
  threads.running.clear();
  std::erase_if(waiting, [&](const Party& party) {
    const bool runs = together(chosen, party);
    if (runs) threads.running.push_back(party);
    return runs;
  });
}

}  // namespace heddle
