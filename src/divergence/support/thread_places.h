// Threads with PCs of their own, by static warp: what stackless, lorie-strong, takahashi and implicit-stack share.
//
// The threads of a static warp run (all at the PC of the warp that carries them), wait at a place of their own, or are
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

namespace heddle {

class ThreadPlaces : public Mechanism {
 public:
  explicit ThreadPlaces(Host& host);
  void block_start(BlockSlot slot) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  void arrive(WarpId warp) override;
  void release(WarpId warp) override;
  State state(BlockSlot slot) const override;

 protected:
  struct Place {  // threads of one static warp that share PC and depth
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
    WarpId warp = 0;             // carries the running threads or a phantom, if there are any
    std::vector<Place> running;  // all at the warp's PC
    std::vector<Place> waiting;
    std::vector<Detached> detached;
    bool phantom = false;  // the warp's next slot executes nothing
  };

  // Moves threads that share one PC from waiting, where somebody is, to running.
  virtual void pick(StaticWarp& threads) = 0;
  // The lowest PC above that of the running threads where they must stop because of those that wait.
  virtual Pc next_ask(const StaticWarp& threads) const;
  // These threads wait there. Who shares the place with others waits with them.
  virtual void wait(StaticWarp& threads, const Place& place);

  // What pick() may be made of: the first place runs, with all others that go together with it.
  template <class Before, class Together>
  static void run_first(StaticWarp& threads, Before&& before, Together&& together);

  StaticWarp& of(WarpId warp) { return warps_[owner_[warp]]; }
  static void set_depth(StaticWarp& threads, Outcome::Kind kind);   // of the running threads, after a call or return
  void part(StaticWarp& threads, std::span<const Target> targets);  // the running threads wait where they go
  void arbitrate(StaticWarp& threads);                              // pick() among all that are not detached
  void go(StaticWarp& threads);                                     // the running threads, if this is no meeting
  void show(StaticWarp& threads);                                   // the running threads are the warp
  void show_phantom(StaticWarp& threads, Pc pc, unsigned depth, unsigned count);

 private:
  WarpId open(BlockSlot slot, const Group& group, size_t index);
  bool carried(const StaticWarp& threads) const { return !threads.running.empty() || threads.phantom; }
  bool under_way(const StaticWarp& threads) const;
  void stop(StaticWarp& threads);  // the running threads wait at their PC like all others
  void take_over(StaticWarp& threads, WarpId warp);
  void detach(StaticWarp& threads);

  std::vector<StaticWarp> warps_;  // by first thread / W
  std::vector<size_t> owner_;      // by warp: whose it is
  std::vector<Pc> next_meeting_;   // by PC: the next barrier or warp-wide instruction from there on
};

template <class Before, class Together>
void ThreadPlaces::run_first(StaticWarp& threads, Before&& before, Together&& together) {
  std::vector<Place>& waiting = threads.waiting;
  size_t first = 0;
  for (size_t i = 1; i < waiting.size(); ++i)
    if (before(waiting[i], waiting[first])) first = i;
  const Place chosen = waiting[first];
  threads.running.clear();
  std::erase_if(waiting, [&](const Place& place) {
    const bool runs = together(chosen, place);
    if (runs) threads.running.push_back(place);
    return runs;
  });
}

}  // namespace heddle
