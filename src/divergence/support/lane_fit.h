// Whose threads fit beside those of another warp: all of them in lanes that it leaves free, by home lanes.
#pragma once

#include <array>
#include <vector>

#include "divergence/host.h"

namespace heddle {

class LaneFit {
 public:
  explicit LaneFit(const Host& host) : host_(host), at_home_(host.at_home()) {}
  // Of the ready warps that no other of their static warp goes before (key 0), and that are not of `id`'s: the one with
  // most threads, of equal ones that of the lowest warp; or kNoWarp. Who asks again in the same cycle leaves out who
  // could not go after all.
  WarpId beside(WarpId id, const WarpSet& ready) {
    if (host_.warp(id).group.count == host_.warp_size()) return kNoWarp;
    return &ready == &host_.ready() ? best_of_ready(id) : look_beside(id, ready);
  }
  // A warp is new, or may get or have got other threads. (Other states and keys are known from the host.)
  void regroups(WarpId id);

 private:
  struct Known {  // of a warp with these threads
    BlockId block{0};
    unsigned row = ~0U;
    LaneMask mask, lanes;
  };
  struct Entry {
    LaneMask lanes;
    unsigned place = 0;  // 32 - threads
    WarpId parent{0};
    WarpId before = kNoWarp, after = kNoWarp;  // with as many threads, in the order in which they are taken
  };
  struct Answer {
    uint64_t changed = 0;  // when it was given; 0: never, or to other threads
    WarpId best = kNoWarp;
  };

  LaneMask lanes_of(WarpId id) const { return at_home_ ? host_.warp(id).group.mask : mapped_lanes_of(id); }
  LaneMask mapped_lanes_of(WarpId id) const;
  WarpId look_beside(WarpId id, const WarpSet& ready);
  void find(WarpId id, const WarpSet& ready);
  WarpId take_best();
  bool goes_before(WarpId a, WarpId b) const {  // of equally many threads
    return entries_[a].parent != entries_[b].parent ? entries_[a].parent < entries_[b].parent : a > b;
  }
  bool is_better(WarpId a, WarpId b) const {
    return entries_[a].place != entries_[b].place ? entries_[a].place < entries_[b].place : goes_before(a, b);
  }
  bool fits(WarpId other, LaneMask taken, WarpId parent) const {
    return (entries_[other].lanes & taken).empty() && entries_[other].parent != parent;
  }
  void follow_ready();
  void enter(WarpId id);
  void leave(WarpId id);
  void note_changed(WarpId id) { last_changed_[changed_++ % last_changed_.size()] = id; }
  WarpId best_of_ready(WarpId id) {
    if (known_at_ != host_.changes()) follow_ready();
    Answer& answer = answers_[id];
    if (answer.changed != changed_) answer = {changed_, best_now(id, answer)};
    return answer.best;
  }
  WarpId best_now(WarpId id, const Answer& answer) const;
  WarpId find_best(WarpId id) const;

  const Host& host_;
  const bool at_home_;
  mutable std::vector<Known> known_;  // by warp
  std::vector<WarpId> fits_;          // and go beside
  WarpId beside_ = kNoWarp;           // this warp,
  CoreCycle found_{0};                // in this cycle

  // For who asks of all that are ready: those that no other goes before, changed where they have changed.
  WarpSet members_, first_;
  std::vector<Entry> entries_;            // by warp
  std::array<WarpId, kRow> at_{};         // by place: one of the members there,
  LaneMask places_;                       // where there are some,
  std::array<LaneMask, kRow> all_{};      // and lanes that all of these have, if not every such lane
  uint64_t known_at_ = ~uint64_t{0};      // Host::changes
  uint64_t changed_ = 1;                  // how often a member has entered or left,
  std::array<WarpId, 8> last_changed_{};  // and who did last, by that number
  std::vector<Answer> answers_;           // by warp
};

}  // namespace heddle
