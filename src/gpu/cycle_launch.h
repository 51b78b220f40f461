// One launch on the cycle-level machine: its blocks, the cores it has got, and what it took.
//
// A core belongs to one launch at a time: take_cores() gives it some and may_leave() says when it needs one no more.
// What they need for their threads is made, and thrown away, by whoever is said to do so for each of them (ForEach).
// Blocks go to its cores in turn, as many as fit; a core that has finished one gets the next at once. With
// block_interval that lies between two blocks of one core; with a block_clock the machine says when (start_next()),
// and with a block_end_clock when the place of one that has ended is free (put_away()). A block is on its way for
// block_latency: cores that look that far (look_far()) need not wait for the launch to hear of blocks that have ended.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/core.h"
#include "core/queue.h"
#include "core/spin_detector.h"
#include "exec/read_only.h"
#include "gpu/gpu_options.h"

namespace heddle {

class CycleLaunch {
 public:
  struct Coming {  // a block on its way to a core
    CoreCycle cycle;
    BlockId block;
    uint64_t order;
  };
  struct alignas(kApart) Site {  // a core and its threads
    CycleLaunch* launch;
    unsigned number;  // of the core
    std::unique_ptr<WarpEngine> engine;
    std::unique_ptr<Core> core;
    std::vector<BlockId> free;
    CoreCycle next_start{0};  // a block is not started before
    Queue<Coming> coming;
    std::vector<std::pair<CoreCycle, BlockId>> ended;  // blocks that were noted
    Observers observers;                               // of the launch, or its own
    std::vector<std::string> strays;                   // loads beside an allocation that nobody was told of yet
  };

  // f(i) of each of these cores, the i-th; side by side, if one likes.
  using ForEach = std::function<void(std::span<const unsigned> cores, const std::function<void(size_t)>& f)>;

  // What is launched. It stays where it is until the launch has ended.
  struct What {
    const Kernel& kernel;
    const LaunchInfo& info;
    const ConstantPlane& constants;
    const GpuOptions& options;  // of these the machine's own but for the observers
    bool cooperative = false;
    std::function<void(Context&)> prepare;  // the threads of each core
  };

  CycleLaunch(What what, GlobalMemory& memory, const Config& config, MemorySystem& system, const Clocks& clocks,
              CoreCycle begin);

  CoreCycle start() const { return start_; }  // of its first block
  // Before it takes any: so many are free. Its blocks are spread over as many as it needs of them, or would, if none
  // is.
  void spread(unsigned free_cores);
  size_t cores_wanted() const { return next_block_ < grid_blocks_ ? cores_needed_ - sites_.size() : 0; }
  Site* only_site() const { return cores_needed_ == 1 && !sites_.empty() ? sites_.front().get() : nullptr; }
  std::span<const std::unique_ptr<Site>> take_cores(std::span<const unsigned> cores, const ForEach& for_each);
  void leave_cores(const ForEach& for_each);  // behind gather()
  bool may_leave(const Site& site) const {
    return next_block_ == grid_blocks_ && site.coming.empty() && site.core->idle();
  }

  void fill(CoreCycle cycle);         // the places of all its cores, with blocks in turn
  Site& start_next(CoreCycle cycle);  // a block, on the next core in turn that has a place, which is returned
  bool takes_block() const { return next_block_ < grid_blocks_ && free_places_ > 0; }
  bool has_ended() const { return !ended_.empty(); }  // some block that is not put away yet
  void put_away();
  // A cycle of a core: tick() is the core's own affair, and cores may tick side by side where side_by_side() says so
  // (docs/architecture.md); settle() is what concerns the launch. With a block_clock the blocks that have ended may be
  // noted instead: who has done so takes them in order (take_ended()), and tells the launch (end()).
  static void tick(Site& site, CoreCycle cycle);
  void settle(Site& site, CoreCycle cycle);
  static void note_ended(Site& site, CoreCycle cycle);
  bool concerned(const Site& site, CoreCycle cycle) const {  // would that do anything?
    return some_left(site) || site.core->stuck() || !site.strays.empty() ||
           (!block_clock_ && takes_block(site) && site.next_start <= cycle);
  }
  struct Ended {
    CoreCycle cycle;
    Site* site;
    BlockId block;
  };
  CoreCycle first_ended() const;                                 // kNever: none
  void take_ended(CoreCycle before, std::vector<Ended>& ended);  // before that cycle
  void end(Site& site, BlockId block);
  // While blocks are left that have not been handed out, and do not ask for code, what a core hears of those that have
  // ended it hears block_latency later; when none are left, it hears of none.
  bool look_far();  // from now on, if it can
  bool looks_far() const { return looks_far_; }
  CoreCycle heard_of(CoreCycle cycle) const {  // while it does: what happens to blocks then
    return next_block_ < grid_blocks_ ? cycle + block_latency_ : CoreCycle(kNever);
  }
  // So long nobody looks at the result of a memory instruction.
  unsigned hidden_cycles() const { return hidden_cycles_; }
  bool side_by_side() const { return side_by_side_; }
  bool asks_for_code() const {  // a block that is started
    return parameters_.instruction.bytes > 0 && parameters_.lines_ahead > 0;
  }
  CoreCycle next_of(const Site& site) const {  // when it has something to do, or a block comes, or is to
    CoreCycle next = site.core->next();
    if (!site.coming.empty()) next = std::min(next, site.coming.front().cycle);
    return takes_block(site) && block_interval_ > 0 ? std::min(next, site.next_start) : next;
  }
  bool awaits_block(const Site& site) const { return !site.coming.empty() || takes_block(site); }

  bool blocks_ended() const { return ended_blocks_ == grid_blocks_; }
  bool idle() const;
  void lead() const;                        // it is the one that a person who waits hears of
  Tick check_limits(Tick now, bool leads);  // when to look again
  bool sampled() const { return !series_.empty(); }
  void take_samples(CoreCycle upto);
  CoreCycle next_sample() const;  // kNever: none
  // It has ended, or was given up, in the cycle of `now`. `before`: what the memory system had done before it.
  void gather(Tick now, const MemoryStats& before);
  void check() const;
  CoreCycle end() const { return end_; }
  const KernelStats& stats() const { return stats_; }

 private:
  bool some_left(const Site& site) const {
    if (!block_clock_) return !site.core->left().empty();
    if (looks_far_ && next_block_ == grid_blocks_) return false;
    return !site.ended.empty() && !(looks_far_ && (!site.core->running().empty() || !site.coming.empty()));
  }
  void bring_code();
  std::unique_ptr<Site> site_of(unsigned core) const;
  void make(Site& site);
  bool takes_block(const Site& site) const { return next_block_ < grid_blocks_ && !site.free.empty(); }
  void start_next_block(Site& site, CoreCycle cycle);
  void free_place(Site& site, BlockId block);
  static void start_those_that_came(Site& site, CoreCycle cycle);
  uint64_t resident_blocks() const;
  Sample sample_at(CoreCycle cycle) const;
  void check_breakdown() const;
  uint64_t issue_slots() const;
  std::vector<const WarpEngine*> engines() const;
  bool may_go_side_by_side() const;
  void separate(Site& site) const;
  [[noreturn]] void report(const std::string& what, CoreCycle cycle);

  const What what_;
  GlobalMemory& memory_;
  const Config& config_;
  const GpuOptions& options_;
  const unsigned resident_;  // blocks of a core
  const CoreParameters parameters_;
  const Clocks& clocks_;
  MemorySystem& system_;
  const IssueTable table_;
  const unsigned hidden_cycles_;
  const unsigned cores_needed_;
  const uint64_t grid_blocks_;
  const bool side_by_side_;
  const ReadOnly read_only_;
  unsigned places_ = 0;  // of a core: only reserved where blocks may come
  std::vector<std::unique_ptr<Site>> sites_;
  KernelStats stats_;
  const CoreCycle begin_, start_;  // of the launch, and of its first block: launch_overhead lies between
  CoreCycle end_ = kNever;
  const uint64_t drain_, flush_;
  const uint64_t block_interval_, block_latency_;
  const bool block_clock_, end_clock_;
  bool looks_far_ = false, has_code_ = false;
  Queue<std::pair<Site*, BlockId>> ended_;  // to be put away
  size_t next_site_ = 0;                    // whose turn it is with that
  uint64_t free_places_ = 0, next_block_ = 0, ended_blocks_ = 0;
  const MemoryStats memory_before_;
  struct Series {
    Observer* observer;
    CoreCycle next;
  };
  std::vector<Series> series_;  // those who want samples, and when
  const uint64_t max_slots_;
  SpinDetector spin_;
  const uint64_t max_cycles_, stall_limit_, check_every_;
  uint64_t slots_seen_ = 0;  // by the watchdog
  CoreCycle progress_at_{0};
  Tick next_check_{0};
};

}  // namespace heddle
