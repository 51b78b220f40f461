// Where threads wait for each other, whatever warps they sit in: block barriers and warp-wide .sync instructions.
// One piece, used by every machine and mechanism; it counts threads.
//
// A warp that comes to a barrier is AtBarrier until as many threads have come as the barrier asks for (all live
// threads of the block, or the number the instruction names). A warp that comes to a .sync instruction is AtSync
// until, for each of its threads, all live threads of that thread's member mask have come to the same instruction (or,
// if the mechanism says so, to any such instruction); then it is executed once for them. Exits can complete either.
// Completed warps go on through Mechanism::release().
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "divergence/mechanism.h"
#include "exec/taint.h"

namespace heddle {

class Rendezvous {
 public:
  Rendezvous(Context& context, Host& host, Mechanism& mechanism)
      : context_(context), host_(host), mechanism_(mechanism), anywhere_(mechanism.traits().meets_anywhere) {}

  // The groups of a warp whose next instruction is block-wide (bar.arrive only counts and goes on).
  void at_barrier(WarpId warp, std::span<const Group> groups);
  // The same for warp-wide instructions. Returns how many threads executed: more than the warp's own when it was the
  // last to come, 0 while it waits.
  unsigned at_sync(WarpId warp, std::span<const Group> groups);
  void exited(BlockId block);  // threads of the block have left
  void block_end(BlockId block);
  // Who waits where, and for whom.
  void explain(BlockId block, std::string& text) const;

 private:
  static constexpr unsigned kBarriers = 16;
  struct Waiting {
    WarpId warp;
    std::vector<Hw> threads;  // bar.red writes its result to these
    const Instruction* instruction;
  };
  struct Barrier {
    unsigned arrived = 0, expected = 0;      // expected 0: all live threads
    unsigned votes = 0;                      // bar.red: threads whose predicate holds
    ValueOrigin origin = ValueOrigin::None;  // and where their predicates come from
    std::vector<Waiting> waiting;
  };
  struct SyncPoint {  // one instruction of one static warp
    LaneMask arrived;
  };
  struct SyncWaiting {
    WarpId warp;
    Pc pc;
    std::map<unsigned, LaneMask> left;  // by row: threads that have not executed yet
  };

  void complete_if_full(BlockId block, unsigned index);
  void deliver(const Barrier& barrier, const Waiting& waiting);
  Pc place_of(Pc pc) const { return anywhere_ ? kNoPc : pc; }
  unsigned execute_complete(unsigned row, Pc place);
  void add_strays(unsigned row, Pc place, LaneMask arrived, LaneMask& members) const;
  unsigned execute(unsigned row, Pc place, LaneMask members);
  void tell_missing(WarpId id, unsigned row, Pc place);
  Pc waits_at(unsigned row, Pc place, unsigned lane) const;
  LaneMask members_of(const Instruction& instruction, Hw thread) const;
  void release_finished();
  void tell_met(unsigned row, Pc place, LaneMask members);
  bool fast_sync(const Group& group, const Instruction& instruction);

  Context& context_;
  Host& host_;
  Mechanism& mechanism_;
  std::vector<std::array<Barrier, kBarriers>> barriers_;  // by block, if one has come to any
  std::vector<Waiting> spare_;                            // storage that is used again
  const bool anywhere_;
  std::map<std::pair<unsigned, Pc>, SyncPoint> points_;  // by row and PC; kNoPc: any
  std::vector<SyncWaiting> syncing_;
};

}  // namespace heddle
