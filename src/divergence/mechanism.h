// The question all the papers argue about: which threads issue together, and when may they go on?
//
// A mechanism owns the grouping of one core. It opens warps in the host's table, is told what happened to them, and
// says which may go, which wait and which are gone. It knows nothing of cycles except host.now, host.timed and
// not_before.
//
// Life cycle, in the order of calls:
//   refuses(kernel)           once, before a launch: why this kernel cannot run under it, or ""
//   block_start(block)        the block's threads are alive and registered with the host: open its warps
//   then, as often as the machine issues an instruction of a Ready warp:
//     expand(warp, …)         if warp.groups > 1: the groups that issue the instruction, in order
//     issued(warp)            the machine has taken the instruction. The warp is InFlight until one of the next four
//                             tells of its end, its pc is still the instruction's own. Meanwhile other warps are
//                             issued and end, in any order. Without a clock nothing is between, and machines may
//                             leave it out unless traits().every_slot
//     resolve(warp, outcomes) after a control instruction: one outcome per group, in the order they were issued.
//                             warp.pc is still the instruction's own; threads that exited are already dead
//     arrive(warp)            after any other instruction, when the new warp.pc equals warp.ask_at
//     retire(warp)            instead of arrive, after every other instruction, with traits().every_slot
//   release(warp)             a barrier or warp-wide rendezvous of this warp is done; warp.pc is still its own.
//   released()                Called for each warp of the rendezvous; then released() for all of them
//   misses(warp, missing)     it has come to a warp-wide instruction and waits there for these lanes of its static warp
//   block_end(block)          all threads of the block have exited
//
// goes_on(warp, pc) is a question, when a branch is done: where must the mechanism be asked next if all threads of the
// warp jump to `pc` by it? Nothing: resolve() must hear of the branch, for more would change than pc and ask_at, with a
// clock or without.
//
// goes_alone(warp) is asked with Traits::by_static_warp: will nothing of its static warp change, and goes_on() answer
// the same for it, until the mechanism hears of this warp?
//
// passes(warp, pc) is goes_on() for a branch of which it hears (Traits::hears_branches, passes), on a machine without a
// clock where nobody else wants to hear of it: it takes the place of resolve(), or answers false and has done nothing.
//
// turns() is another, before the wished warp is issued (Traits::wishes): which warps would now go in turn, all of them
// at one PC, one plain instruction each, and again, so many times, with nothing else changing than their PC? Or, once,
// by a branch? Nobody need be asked for these; took_turns() tells that so many of them have been, for all of the warps,
// or took_branch() by whom the branch is taken, which says how many of the warps have diverged. Groups of warps then
// only say how many threads they have, until name_groups(). rows_in_turn() are the threads of all of them,
// if it knows them so.
//
// A machine without a clock may know of PCs from which threads come to a branch and do nothing on the way that others
// see (Host::comes_to). Warps that start there and wait at the branch for each other, whichever way their threads go,
// may be opened with the flag `gathers` and with groups that only say how many they are: such a machine executes it for
// all of them at once, when the first goes, and holds each of them when it is there.
//   gathering(block)          where that is, and whose threads
//   gathered(block, taken)    it has been executed; by whom the branch is taken. Who diverges gets the flag `diverges`
//   all_came(block)           the last of them is there, instead of resolve() for each
//   name_groups()             somebody will look at these groups
//
// With a clock a mechanism may ask for more (Traits):
//   companion(warp, ready)    with issue_width > 1, when `warp` is issued: who else goes in the same cycle, on lanes
//                             that are left free? Asked again for each further place; kNoWarp: nobody. `ready` may have
//                             `warp` itself
//   returned(warp, lanes, hit) with hears_returns: of a load of this warp, what these lanes wait for is there (hit: the
//                             first-level cache had it), and the scoreboard lets them go on. The warp is InFlight at
//                             the load, or, with a scoreboard of registers, wherever it has come to since. It may be
//                             split: lanes that leave its group go on in a warp of their own behind the load (or where
//                             it has come to), the rest stays
//   stalled(warp)             with hears_stalls: it could go, but waits for a load that has missed; once for each
//                             instruction. Host::wait_of and able_of say what threads would wait for
//   starved()                 with hears_stalls: nothing of the core can go in this cycle. True if something now can
//
// resolve(), arrive(), retire() and release() leave the warp with a new pc, ask_at, group and state (Ready unless the
// mechanism lets it wait), or closed. They may open warps, and close others that are not InFlight; ids of closed warps
// are used again.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "divergence/host.h"
#include "divergence/outcome.h"
#include "divergence/state.h"
#include "exec/context.h"
#include "stats/counter.h"

namespace heddle {

struct Traits {
  bool every_slot = false;  // ask after every instruction
  bool interleave = false;  // emulation steps one instruction at a time
  bool wishes = false;      // Host::keep_first_wishes goes before the scheduler
  bool any_lane = false;    // threads leave their home lanes (no hardware has that)
  // Splits of one warp issue independently: the scoreboard is precise to the lane. Without it, as hardware has it, all
  // threads of a row wait for the registers of any of them.
  bool splits = false;
  bool hears_returns = false, hears_stalls = false;
  bool hears_branches = false;  // resolve() hears of all that may diverge: goes_on() is not asked there
  bool passes = false;          // passes() may be true
  bool meets_anywhere = false;  // warp-wide instructions wait for each other wherever they stand in the code
  // What a warp does changes others of its static warp only; but for barriers, warp-wide instructions and exits, by
  // which others of its block may be let go.
  bool by_static_warp = false;
  bool beside_kin = false;   // companion() is of the same static warp
  bool learns = false;       // what it has seen of blocks that are gone decides for others
  unsigned issue_width = 1;  // warps that may go in one cycle, on lanes of their own: see companion()
};

// What the mechanism keeps per warp, for a person who would build it.
struct StateCost {
  unsigned deepest = 0;        // deepest nesting seen: non-empty entries, the base counts 1
  uint64_t bits_per_warp = 0;  // at that nesting
  bool constant = false;       // whatever the nesting
};

// Warps that go in turn, in this order, so many times each.
struct Turns {
  std::span<const WarpId> warps;
  uint64_t each = 0;
  unsigned threads = 0;  // of all of them
};

struct Gathering {
  Pc branch = kNoPc;
  unsigned warps = 0;
  const BlockMask* threads = nullptr;
};

class Mechanism {
 public:
  explicit Mechanism(Host& host) : host_(host) {}
  virtual ~Mechanism() = default;

  virtual Traits traits() const { return {}; }
  virtual std::string refuses(const Kernel&) const { return ""; }
  virtual void block_start(BlockId block) = 0;
  virtual void resolve(WarpId warp, std::span<const Outcome> outcomes) = 0;
  virtual std::optional<Pc> goes_on(WarpId, Pc) const { return std::nullopt; }
  virtual bool goes_alone(WarpId warp) const { return host_.goes_alone(warp); }
  virtual bool passes(WarpId, Pc) { return false; }
  virtual Turns turns() const { return {}; }
  virtual std::span<const LaneMask> rows_in_turn() { return {}; }  // by row
  virtual void took_turns(uint64_t /*each*/) {}
  virtual unsigned took_branch(std::span<const LaneMask> /*taken, by row*/) { return 0; }
  virtual Gathering gathering(BlockId) const { return {}; }
  virtual void gathered(BlockId, const BlockMask& /*taken*/) {}
  virtual void all_came(BlockId) {}
  virtual void name_groups() {}
  virtual void arrive(WarpId warp) = 0;
  virtual void retire(WarpId warp) { arrive(warp); }
  virtual unsigned expand(WarpId warp, const Instruction& instruction, std::span<Group> groups);
  virtual void issued(WarpId) {}
  virtual void release(WarpId warp);  // goes on behind the instruction
  virtual void released() {}
  virtual void misses(WarpId, LaneMask /*missing*/) {}  // at a warp-wide instruction, for these
  virtual WarpId companion(WarpId, const WarpSet& /*ready*/) { return kNoWarp; }
  virtual void returned(WarpId, LaneMask, bool /*hit*/) {}
  virtual void stalled(WarpId) {}
  virtual bool starved() { return false; }
  virtual void block_end(BlockId) {}
  virtual State state(BlockId block) const = 0;  // what it keeps of the block's threads
  virtual StateCost cost() const = 0;
  virtual std::vector<Counter> counters() const { return {}; }  // beside what every machine counts

 protected:
  Host& host_;
};

}  // namespace heddle
