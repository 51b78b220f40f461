// What the sub-cores of a core share: its threads, the instructions under way, the memory side, the scoreboard (rows of
// regrouped warps are of several sub-cores), the counters.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "core/block_drain.h"
#include "core/core_watch.h"
#include "core/issue_table.h"
#include "core/load_store_unit.h"
#include "core/register_waits.h"
#include "core/sleepers.h"
#include "core/warp_engine.h"

namespace heddle {

// Code lies above all data.
inline Address code_begins(const LaunchInfo& launch) { return (Address{1} << 43) + launch.code; }

struct CoreParts {
  CoreParts(unsigned index, const CoreParameters& p, const IssueTable& issue, WarpEngine& threads, MemorySystem& memory,
            const Clock<CoreCycle>& clock)
      : parameters(p),
        table(issue),
        engine(threads),
        code_begin(code_begins(threads.context().launch)),
        traits(threads.traits()),
        follows_returns(traits.hears_returns || threads.host().watch.wants(Observer::kMemory)),
        watch(CoreWatch::wanted(threads.host()) ? std::make_unique<CoreWatch>(threads.host()) : nullptr),
        outlet(memory, clock, index),
        lsu(p, index, outlet, flights, follows_returns ? &returns : nullptr, watch.get(), stats),
        drain(p.store_latency),
        instructions(Origin::Instruction, "icache", p.instruction, p, outlet, stats.instruction),
        scoreboard(issue.uses ? std::make_unique<Scoreboard>(*issue.uses, traits.splits) : nullptr) {
    due.fill(kNever);
  }

  const Instruction& instruction(Pc pc) const { return engine.context().kernel.code[pc]; }
  Address code_line(Pc pc) const;
  bool holds_code(Pc pc) const { return instructions.holds(code_line(pc)); }
  void look_for_all_code();  // is all of it in the cache? Then it stays
  // Is what a block asks for when it is started in the cache, or on its way, and stays?
  void look_for_first_code();
  void fetch_ahead(Pc pc, CoreCycle now) {
    for_each_line_behind(pc, [&](Address line) { instructions.read_ahead(line, now); });
  }
  // The rest of this instruction and what may follow, as far as the code goes.
  template <class F>
  void for_each_line_behind(Pc pc, F&& f) const;

  // When a warp that comes to a barrier now has been noted there: one after another.
  CoreCycle at_barrier(CoreCycle now) {
    barrier_free = std::max(barrier_free, now) + parameters.barrier_interval;
    return barrier_free;
  }

  const CoreParameters& parameters;
  const IssueTable& table;
  WarpEngine& engine;
  const Address code_begin;
  const Traits traits;
  const bool follows_returns;  // the mechanism or who watches hears of lanes whose data is there
  const std::unique_ptr<CoreWatch> watch;
  CoreStats stats;
  Outlet outlet;
  Flights flights;
  LaneReturns returns;
  LoadStoreUnit lsu;
  BlockDrain drain;
  FirstLevel instructions;
  const std::unique_ptr<Scoreboard> scoreboard;  // none: one instruction of a warp under way
  Sleepers sleepers;
  RegisterWaits register_waits;
  std::vector<WarpId> stalled;   // warps found in this cycle that wait for a load that has missed
  std::vector<BlockId> running;  // blocks
  CoreCycle barrier_free{0};     // the next warp is noted from then on
  bool has_all_code = false, has_first_code = false;
  std::array<CoreCycle, kMostSubCores> due;  // of sub-cores: SubCore::due()
  unsigned fetching = 0;                     // warps whose instruction is on its way to the cache

  struct Load {  // of a warp, when it was issued
    KeptGroup group;
    WarpId parent;
    uint64_t age;
    Pc pc;
  };
  std::vector<Load> loads;  // by flight, where somebody hears of returns
};

inline Address CoreParts::code_line(Pc pc) const {
  return (code_begin + table.code_at[pc]) & ~(Address{parameters.instruction.line} - 1);  // a power of two
}

inline void CoreParts::look_for_all_code() {
  const Address line = parameters.instruction.line;
  for (Address at = code_line(0); at < code_begin + table.code_bytes; at += line)
    if (!instructions.holds(at)) return;
  has_all_code = true;
}

// What is asked for is of this code alone.
inline void CoreParts::look_for_first_code() {
  bool all = instructions.has_room_for(code_begin, table.code_bytes) && instructions.expects(code_line(0));
  for_each_line_behind(0, [&](Address line) { all = all && instructions.expects(line); });
  has_first_code = all;
}

template <class F>
void CoreParts::for_each_line_behind(Pc pc, F&& f) const {
  if (parameters.lines_ahead == 0) return;
  const Address begin = code_begin, line = parameters.instruction.line;
  const uint32_t next = pc + 1 < table.code_at.size() ? table.code_at[pc + 1] : table.code_bytes;
  const Address last = begin + std::max(next, table.code_at[pc] + 1) - 1;
  const Address end = std::min(begin + table.code_bytes, last - last % line + (parameters.lines_ahead + 1) * line);
  for (Address at = code_line(pc) + line; at < end; at += line) f(at);
}

}  // namespace heddle
