// A run as it can be played: every issue slot with its threads by lane, and the mechanism's state as it changes. Values
// only; the viewer's page is made from them (report/view), and what --trace-steps prints is in them.
//
// The state that belongs to an event is the one in which the mechanism hands its slot out. It is kept as changes: from
// an event on, a place in the list of its block's rows holds another row. Rows that are alike are kept once.
//
// Of a CUDA program with several processes, launches that run beside one that is recorded are left out, and counted.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "observe/step_trace.h"

namespace heddle {

struct RecordedSlot {
  uint32_t launch = 0;
  uint64_t slot = 0;   // of the launch, over all cores
  uint64_t cycle = 0;  // with a clock
  uint32_t core = 0;
  uint64_t block = 0;  // its number in the grid
  uint32_t warp = 0;
  Pc pc = 0;
  uint32_t lanes = 0;     // which of Recording::lanes
  bool beside = false;    // in the issue cycle of the one before it
  bool diverged = false;  // its threads go to different places from here
  bool merged = false;    // its threads issued apart before
};

struct RecordedLanes {
  std::vector<int> threads;         // by lane; -1: none
  std::optional<unsigned> phantom;  // so many threads, which may be none, are charged and do nothing
  bool operator<(const RecordedLanes& other) const {
    return std::tie(phantom, threads) < std::tie(other.phantom, other.threads);
  }
};

struct RecordedChange {
  static constexpr uint32_t kNone = ~uint32_t{0};
  uint32_t event = 0;
  uint32_t place = 0;    // in the list of the rows of the event's block
  uint32_t row = kNone;  // which of Recording::rows; kNone: the list ends before this place
};

// With a clock: cycles in which a core issued nothing.
struct RecordedWait {
  uint32_t launch = 0, core = 0;
  uint64_t from = 0, cycles = 0;
  IdleCause cause = IdleCause::Other;
  Pc pc = kNoPc;  // what was waited for
};

// With a clock: a memory instruction, from its issue to its last result.
struct RecordedFlight {
  uint32_t launch = 0, core = 0, warp = 0;
  Pc pc = 0;
  uint64_t issued = 0, done = 0;
  bool missed = false;  // the first-level cache
};

struct RecordedLaunch {
  std::shared_ptr<const Kernel> kernel;
  Dim3 grid, block;
  uint64_t slots = 0;  // all of them, recorded or not
};

struct Recording {
  unsigned warp_size = 32;
  bool timed = false;
  std::vector<RecordedLaunch> launches;
  std::vector<RecordedSlot> events;
  std::vector<RecordedLanes> lanes;
  std::vector<StateRow> rows;
  std::vector<RecordedChange> changes;  // by event
  std::vector<RecordedWait> waits;
  std::vector<RecordedFlight> flights;
  uint64_t matched = 0;          // slots that the filter lets through; more than events: it was cut
  uint64_t launches_beside = 0;  // left out
};

class Recorder : public Observer {
 public:
  // No more than `limit` events.
  Recorder(TraceFilter filter, size_t limit) : filter_(std::move(filter)), limit_(limit) {}
  uint32_t wants() const override { return kSteps | kBranches | kJumps | kIdle | kFlights; }
  void launch_began(const LaunchBegan& launch) override;
  void issued(const Scene& scene, const Issued& event) override;
  void synced(const Scene& scene, const Synced& event) override;
  void branched(const Scene& scene, const Branched& event) override;
  void idled(const Scene& scene, const Idled& event) override;
  void completed(const Scene& scene, const Completed& event) override;
  void launch_ended(KernelStats& stats) override;

  const Recording& recording() const { return recording_; }

 private:
  using OfWarp = std::pair<unsigned, WarpId>;  // and its core

  uint32_t launch() const { return static_cast<uint32_t>(recording_.launches.size() - 1); }
  // Is what happens now beside the slots that are recorded?
  bool is_shown() const {
    return is_ours() && wanted_ &&
           (filter_.slots.contains(slot_) || (slot_ > 0 && filter_.slots.contains(slot_ - 1))) &&
           recording_.events.size() < limit_;
  }
  bool is_ours() const { return under_way_.load() == std::this_thread::get_id(); }
  std::shared_ptr<const Kernel> kept(const Kernel& kernel);
  void take(const Scene& scene, WarpId warp, Pc pc, const Group& group, bool beside);
  void record(const Scene& scene, WarpId warp, Pc pc, const Group& group, bool beside);
  void record_state(const Scene& scene, BlockId block);
  uint32_t number_of(const StateRow& row);
  uint32_t number_of(RecordedLanes lanes);
  bool meet(const Scene& scene, BlockId block, const std::vector<int>& threads);

  const TraceFilter filter_;
  const size_t limit_;
  std::atomic<std::thread::id> under_way_{};  // who runs the launch that is recorded
  Recording recording_;
  std::atomic<uint64_t> beside_ = 0;
  bool wanted_ = true;  // this launch
  uint64_t slot_ = 0;
  std::map<RecordedLanes, uint32_t> known_lanes_;
  std::unordered_map<std::string, uint32_t> known_rows_;
  std::map<uint64_t, State> states_;                        // by block: as recorded last
  std::map<uint64_t, std::vector<uint32_t>> last_;          // by block and thread: its last event, and one; 0: none
  std::map<OfWarp, std::vector<uint32_t>> of_instruction_;  // events of the instruction that the warp took last
};

}  // namespace heddle
