// Whoever watches a machine: events, and the interface of those who hear of them. Instruments are observers
// (src/observe); machines and mechanisms only tell what happens, and never what for.
//
// Life cycle: an observer belongs to a GPU. launch_began(), then events of all cores of the launch, in the order in
// which they happen (cycle by cycle; without a clock there is one core), then launch_ended(), also where the launch
// ended in an error: there it puts what it found into the statistics. Only events it wants() reach it; what nobody
// wants costs the one who would tell a test of a bit.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "divergence/outcome.h"
#include "ptx/module.h"
#include "stats/idle_cause.h"

namespace heddle {

class Host;
class Mechanism;
struct BlockPath;
struct Kernel;
struct KernelStats;
struct LaunchInfo;
struct Sample;

// Where an event happens; good during the call.
struct Scene {
  const Kernel& kernel;
  const Host& host;  // host.now is the cycle, where there is a clock
  const Mechanism& mechanism;
  unsigned core = 0;
  bool timed = false;
  uint64_t slot = 0;  // issue slots of this core before this one
};

struct LaunchBegan {
  const Kernel& kernel;
  const LaunchInfo& launch;
  std::string_view mechanism;
  unsigned warp_size = 32;
  bool timed = false;
  bool taint = false;  // outcomes know what depends on data
};

// A group was issued: one instruction, or a run of neighbouring plain ones under the same mask (not where somebody
// wants steps).
struct Issued {
  WarpId warp;
  const Group& group;
  Pc first = 0;
  uint64_t slots = 1;
  bool beside = false;  // in the issue cycle of the one before it
};
struct Synced {  // a warp-wide instruction was executed, charged to the groups that came last
  WarpId warp;
  Pc pc = 0;
  std::span<const Group> groups;
  unsigned executed = 0;  // threads
};
struct Branched {  // a control instruction was executed; the mechanism hears of it next
  WarpId warp;
  BlockId block;
  Pc pc = 0;
  std::span<const Outcome> outcomes;  // one per group
};
struct WarpChanged {  // it was opened, closed, held, released …
  WarpId warp;
  WarpState before, after;
};
struct Merged {  // threads joined a warp
  WarpId warp;
  Pc pc = 0;
  unsigned before = 0, after = 0;  // threads
};
struct LikelyMerged {  // threads met at a likely-convergence point
  BlockId block;
  Pc pc = 0;
};
// Of mechanisms with a stack per block: a warp of the top came to a branch or call, and waits for the others or not.
struct Came {
  BlockId block;
  Pc branch = 0;
  const Outcome& outcome;
  Pc meets = 0;  // where the paths meet at this call depth; kNoPc: elsewhere
  bool waits = false;
};
struct AllCame {  // all of them
  BlockId block;
  Pc branch = 0;
  Pc meets = 0;  // as in Came
  std::span<const BlockPath> paths;
};
// With a clock: what these lanes of the warp loaded is there. (Not of instructions of several groups: Completed.)
struct LanesReturned {
  WarpId warp;
  Pc pc = 0;
  LaneMask lanes;
};
struct Stalled {  // with a clock: the warp could go, but waits for a load that has missed
  WarpId warp;
  Pc pc = 0;
};
struct Completed {  // with a clock: the results of an instruction are there; a store has left the memory stage
  WarpId warp;
  BlockId block;
  Pc pc = 0;
  CoreCycle issued;     // its first group
  bool memory = false;  // it passed the memory stage,
  bool missed = false;  // and a line of it came from below the first level
};

// Where a cycle without an issue stands in the breakdown of its core (CoreStats).
enum class IdleClass : uint8_t { Stall, Memory, Nothing };  // stall, w0_mem, w0_idle

// With a clock: cycles in which an issue port of the core issued nothing, told when the wait is over, of each port in
// the order of time. A wait lasts from one issue to the next, and what ends it is charged with it: the completion (or
// the fetch, or the start of a block) in the cycle of the issue, that of the warp which goes if there are several, else
// the last one before. But cycles in which some warp could go and the pipeline below took none are charged, as they
// pass, to the instruction that is in the memory stage or keeps the unit. By class they sum to the breakdown of the
// core, to the cycle; a core that has had no block tells of none.
struct Idled {
  CoreCycle from;
  uint64_t cycles = 0;
  unsigned port = 0;  // of the core: one per sub-core
  IdleClass in = IdleClass::Nothing;
  IdleCause cause = IdleCause::Other;
  Pc waited_for = kNoPc;
  Pc barrier = kNoPc;  // more than half of the core's warps wait at barriers meanwhile, most of them at this one
};

// With a clock: one group of a memory instruction has been served by the memory stage.
struct Accessed {
  WarpId warp{0};
  BlockId block{0};
  Pc pc = 0;
  Space space = Space::Global;  // of generic addresses: where most lanes point
  unsigned threads = 0;
  unsigned lines = 0;        // of the first level
  unsigned sectors = 0;      // of 32 bytes, on these
  unsigned bank_passes = 0;  // of shared memory
  unsigned hits = 0;         // lines that the first level had
  unsigned misses = 0;       // the others
  // Bytes from a lane's address to that of the next active one: the commonest difference (the smallest of several).
  int64_t stride = 0;
};

struct BranchCount {
  uint64_t executed = 0, diverged = 0;
};

class Observer {
 public:
  enum Wish : uint32_t {
    kIssues = 1U << 0,    // issued(), synced()
    kSteps = 1U << 1,     // issued() for every slot by itself
    kBranches = 1U << 2,  // branched(), but not of jumps
    kWarps = 1U << 3,
    kMerges = 1U << 4,
    kLikelyMerges = 1U << 5,
    kArrivals = 1U << 6,  // came(), all_came()
    kBlocks = 1U << 7,
    kMemory = 1U << 8,     // returned(), stalled()
    kFlights = 1U << 9,    // completed()
    kIdle = 1U << 10,      // idled()
    kAccesses = 1U << 11,  // accessed()
    kJumps = 1U << 12,     // branched() of branches that all threads of a warp take one way, the mechanism unasked
  };

  virtual ~Observer() = default;
  virtual uint32_t wants() const = 0;
  virtual uint64_t sample_every() const { return 0; }  // with a clock: sampled() every so many cycles

  // Who wants no more of branches than how many there were, and how many diverged: where they are counted, by PC, from
  // launch_began() on.
  virtual BranchCount* branch_counts() { return nullptr; }
  bool hears_of_cores() { return wants() != 0 || branch_counts() != nullptr; }

  virtual void launch_began(const LaunchBegan&) {}
  virtual void block_started(const Scene&, BlockId) {}
  virtual void block_ended(const Scene&, BlockId) {}
  virtual void issued(const Scene&, const Issued&) {}
  virtual void synced(const Scene&, const Synced&) {}
  virtual void branched(const Scene&, const Branched&) {}
  virtual void changed(const Scene&, const WarpChanged&) {}
  virtual void merged(const Scene&, const Merged&) {}
  virtual void likely_merged(const Scene&, const LikelyMerged&) {}
  virtual void came(const Scene&, const Came&) {}
  virtual void all_came(const Scene&, const AllCame&) {}
  virtual void returned(const Scene&, const LanesReturned&) {}
  virtual void stalled(const Scene&, const Stalled&) {}
  virtual void completed(const Scene&, const Completed&) {}
  virtual void idled(const Scene&, const Idled&) {}
  virtual void accessed(const Scene&, const Accessed&) {}
  virtual void sampled(const Sample&) {}
  virtual void launch_ended(KernelStats&) {}

  // Where cores run side by side, each tells one of its own, between launch_began() and launch_ended() of this one: as
  // this was when the launch began. Null: one must hear of all cores, so that they run one after another.
  virtual std::shared_ptr<Observer> for_core() const { return nullptr; }
  virtual void add(const Observer&) {}  // what that of a core has found
};

using Observers = std::vector<std::shared_ptr<Observer>>;

// The watchers of one core.
class Watch {
 public:
  Watch() = default;
  Watch(const Observers& observers, const Scene& scene) : scene_(std::make_unique<Scene>(scene)) {
    for (const std::shared_ptr<Observer>& observer : observers) {
      observers_.push_back({observer->wants(), observer.get()});
      wanted_ |= observer->wants();
      if (BranchCount* const counts = observer->branch_counts()) branch_counts_.push_back(counts);
    }
  }

  bool wants(uint32_t wishes) const { return (wanted_ & wishes) != 0; }
  // Calls e.g. tell<&Observer::merged>(Observer::kMerges, Merged{…}) for those who want it.
  template <auto kCall, class Event>
  void tell(uint32_t wish, const Event& event) const {
    for (const auto& [wants, observer] : observers_)
      if ((wants & wish) != 0) (observer->*kCall)(*scene_, event);
  }
  void count_branch(Pc pc, bool diverged) const {
    for (BranchCount* const counts : branch_counts_) {
      ++counts[pc].executed;
      counts[pc].diverged += diverged ? 1 : 0;
    }
  }
  void at_slot(uint64_t slot) const { scene_->slot = slot; }

 private:
  uint32_t wanted_ = 0;
  std::vector<std::pair<uint32_t, Observer*>> observers_;  // and what they want
  std::vector<BranchCount*> branch_counts_;
  std::unique_ptr<Scene> scene_;
};

}  // namespace heddle
