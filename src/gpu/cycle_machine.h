// The cycle-level machine: the cores of the GPU and the memory system, which outlives launches, and the launches in
// flight.
//
// Time goes from event to event: every part says when it next has something to do, and nobody is ticked before. At one
// time the order is DRAM, L2, replies, cores by their number, requests (MemorySystem says why). With a block_clock
// blocks are handed out behind the cores, one in each of its cycles, of the launch that began first; so are those put
// away that have ended, with a block_end_clock, before.
//
// The only core of a launch and the memory system go on by themselves up to what comes next of all else
// (go_straight()).
//
// Of several launches in flight the one that began first takes the cores it needs, the next what is left; a core that
// one has left goes to the first that wants more. Blocks of two launches never share a core.
//
// With one launch in flight that allows it, and where it pays, the cores run ahead of each other (RunAhead), on one
// thread or several (GpuOptions::threads), as far as the network lets them know what reaches them; what they have done
// to each other and to the memory system is then taken in the order of the cycles and of the cores, so that all is as
// if they had gone on cycle by cycle.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exec/global_order.h"
#include "gpu/block_pace.h"
#include "gpu/cycle_launch.h"
#include "gpu/machine_keys.h"
#include "gpu/run_ahead.h"
#include "gpu/wake_wheel.h"

namespace heddle {

class CycleMachine {
 public:
  CycleMachine(const Config& config, const GpuOptions& options);

  bool busy() const { return !flights_.empty(); }
  // The launch begins then, or now if that is past.
  const CycleLaunch* begin(CycleLaunch::What what, GlobalMemory& memory, CoreCycle not_before);
  // Runs until a launch has ended; where that was the last one its end is now the machine's time. If it throws, all
  // that was in flight is given up: what each has measured is good as far as it came.
  std::unique_ptr<CycleLaunch> run();
  std::vector<std::unique_ptr<CycleLaunch>> give_up();  // what was in flight; the memory system is as new
  void empty_caches();                                  // nothing may be in flight
  CoreCycle now() const { return clocks_.core.at_or_after(now_); }

 private:
  using Site = CycleLaunch::Site;
  void make_memory_system();
  bool starts_next() const;
  void start(CycleLaunch& launch);
  void share_out(CoreCycle cycle);
  CycleLaunch::ForEach for_each(bool ahead);
  void hand_out(CoreCycle cycle);
  void give_blocks(CoreCycle cycle);
  void settle_blocks(CoreCycle before);
  unsigned put_away(CoreCycle cycle);  // how many
  bool some_ended() const;             // blocks that are not put away yet
  Tick next_time() const;
  CoreCycle next_block() const;
  void step(Tick time);
  void reply(const Reply& reply, CoreCycle cycle);
  void send_requests();
  void tick_cores(CoreCycle cycle);
  void tick_core(unsigned core, CoreCycle cycle);
  void settle_core(unsigned core, CoreCycle cycle);
  void plan(unsigned core);
  void go_straight(unsigned core);
  bool may_go_ahead() const;
  void find_mode();
  Tick next_ahead() const;
  void step_ahead(Tick time);
  void catch_up(CoreCycle cycle);
  Tick bound_of_memory() const;
  bool has_long_way() const;
  bool lags() const;
  bool goes_on_lagging() const;
  bool may_lag();
  uint64_t half_way() const;
  bool knows_enough(Tick now) const;
  bool nothing_to_settle();
  Tick how_far_known() const;
  Tick how_far();
  Tick last_event() const;
  void settle_ahead();
  void settle_cores();
  bool may_resume() const;
  void commit_ahead(std::span<const unsigned> concerned, CoreCycle before);
  void commit(std::span<GlobalLog* const> logs, CoreCycle before);
  Tick time_of(CoreCycle cycle) const;
  CoreCycle cycle_of(Tick time) const;
  size_t ended() const;
  void check_limits();
  std::unique_ptr<CycleLaunch> take(size_t index);

  const Config& config_;
  const GpuOptions& options_;
  const Clocks clocks_;
  std::unique_ptr<MemorySystem> system_;
  Tick now_;
  std::vector<Site*> sites_;                           // by core; null: no launch has it
  WakeWheel wheel_;                                    // of the cores
  std::vector<std::unique_ptr<CycleLaunch>> flights_;  // in the order of their starts
  size_t started_ = 0;                                 // of flights_, the first
  bool want_cores_ = false;                            // some of these
  bool cores_freed_ = false;                           // since they were shared out
  bool ending_ = false;                                // all blocks of one of them have ended
  Tick next_check_ = kNever;                           // of the limits
  BlockPace pace_, end_pace_;                          // of a block_clock and a block_end_clock
  CoreCycle blocks_settled_{0};                        // with these: all cycles before
  Tick last_block_;                                    // the last of these in which something happened
  std::vector<CycleLaunch::Ended> ended_;              // blocks, while that is done
  MemoryStats accounted_;                              // of the memory system: what launches have been told

  bool goes_ahead_ = false;  // by step_ahead()
  std::vector<MemorySystem::Arrival> known_;
  GlobalCommit commit_;
  std::optional<RunAhead> ahead_;
};

}  // namespace heddle
