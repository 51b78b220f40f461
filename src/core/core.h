// One core (SM) with a clock: it issues warp instructions, charges their time and says where its cycles went.
//
// Life cycle: one per launch. start_block() while it has room; then tick(now) at every cycle at which next()
// says there is something to do. reply() for each line that has come, before the tick of its cycle if there is one.
// Between, nothing of the core changes, so cycles that pass without a tick are accounted by what the core found last.
// settle() brings all counters up to a cycle.
//
// Its sub-cores issue (sub_core.h), each from warps of its own. In a cycle they are asked in turn, and who is first
// changes with the cycle, so that none comes last for ever where they share a place.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/core_parts.h"
#include "core/sub_core.h"

namespace heddle {

class alignas(kApart) Core {
 public:
  // `schedulers`: one for each sub-core.
  Core(unsigned index, const CoreParameters& parameters, const IssueTable& table, WarpEngine& engine,
       std::vector<std::unique_ptr<Scheduler>> schedulers, MemorySystem& memory, const Clock<CoreCycle>& clock,
       CoreCycle start);

  void expect_block(CoreCycle now);  // it is on its way, and its code is asked for
  bool has_first_code() const { return parts_.has_all_code || parts_.has_first_code; }  // no block asks for any
  void start_block(BlockId block, uint64_t order, CoreCycle now);
  void reply(uint32_t tag, CoreCycle now);  // next() may be earlier behind it
  // Is it to be woken when the network takes packets again?
  bool wants_room() const {
    return parts_.outlet.waits() || parts_.lsu.wants_room() ||
           (parts_.fetching > 0 && !parts_.outlet.sends_code_apart());
  }
  size_t most_requests() const;  // for which it can ask for room in one cycle, replies aside
  bool replies_send() const;     // each may push a dirty line out
  // What it asks room for in n cycles, whatever comes: no more than once + each * n / kSpan.
  static constexpr uint64_t kSpan = 64;
  struct Sending {
    size_t once, each;
  };
  Sending most_sent() const;
  uint64_t unanswered() const { return parts_.outlet.unanswered(); }  // requests
  uint64_t sent() const { return parts_.outlet.sent(); }              // so far, also those that get no answer
  // May it look in this cycle at what an access of global memory gives that it has issued at `since` or later? And may
  // it do so in the very cycle of a reply?
  bool looks_at(CoreCycle since, CoreCycle now) const;
  bool looks_at_once() const;
  void tick(CoreCycle now);
  // The same, and again at each cycle before `end` at which there is something to do, until something may have happened
  // that others see: to a block, at the memory stage. Returns the last of these cycles.
  CoreCycle run(CoreCycle now, CoreCycle end) {
    if (lean_) return run_lean(now, end);
    tick(now);
    return now;
  }
  CoreCycle next() const { return next_; }
  CoreCycle now() const { return parts_.engine.host().now; }  // the last, also where one of them has thrown
  // Nothing under way, nothing ready: nothing of it is ever going to happen.
  bool stuck() const { return parts_.flights.under_way() == 0 && !parts_.running.empty() && nothing_to_issue(); }
  std::span<const BlockId> left() const { return left_; }  // those that have ended
  void forget_left() { left_.clear(); }
  bool goes_on() const {  // by itself: there is nothing to hear of it
    return !parts_.running.empty() && left_.empty() && parts_.flights.under_way() > 0 && !wants_room();
  }
  bool idle() const {  // and nothing will come for it any more
    return parts_.running.empty() && parts_.flights.under_way() == 0 && parts_.lsu.quiet() && !parts_.outlet.waits() &&
           parts_.outlet.unanswered() == 0 && parts_.drain.empty();
  }

  void settle(CoreCycle now);  // all counters are good up to now
  void finish(CoreCycle now);  // the same, and nothing comes behind it
  CoreCycle accounted() const;
  const CoreStats& stats() const { return parts_.stats; }
  std::span<const BlockId> running() const { return parts_.running; }
  void explain(std::string& text) const;

 private:
  size_t most_of_lines() const;
  size_t most_of_stores() const;
  size_t most_of_code() const;
  bool nothing_to_issue() const;
  void account(CoreCycle now);
  void wake_all(CoreCycle at);
  void wake_readers(FlightId id);
  void wake_for_stage(CoreCycle now);
  void tell_wake(const PortWatch::Reason& reason);
  void line_up(BlockId block, CoreCycle now);
  void block_done(BlockId block);
  bool complete_due(CoreCycle now);
  void called(WarpId id, CoreCycle now);
  void complete(FlightId id, const Flight& flight);
  void tell_completed(FlightId id, const Flight& flight);
  void hear_returns(CoreCycle now);
  void issue(CoreCycle now, bool changed);
  bool try_all(CoreCycle now, bool changed);
  void hear_stalls(CoreCycle now, bool starved);
  bool tell_stalls();
  void plan(CoreCycle now);
  CoreCycle run_lean(CoreCycle now, CoreCycle end);

  CoreParts parts_;
  const bool several_;  // sub-cores
  std::vector<SubCore> sub_cores_;
  unsigned asked_ = 0;   // of these in this cycle, by bit,
  unsigned always_ = 0;  // and who plans in every cycle: where it is told who stalls it matters who is asked
  bool lean_ = false;    // it has one, and nobody hears of more than a core must tell
  std::vector<BlockId> left_;
  std::vector<std::pair<uint64_t, Pc>> told_;  // by warp: its serial and instruction when it was told of last
  CoreCycle next_warp_{0};                     // of a new block: it does not start before
  CoreCycle parameters_at_ = kNever;           // all warps wait for them
  CoreCycle next_ = kNever;
};

}  // namespace heddle
