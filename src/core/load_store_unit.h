// The memory side of a core: the stage where warp instructions meet shared memory and the first-level caches.
//
// Groups come to the memory stage in the order of issue, `memory_stage` cycles after it; between lie that many cycles'
// worth of places, and when they are full nothing can be issued into them. With a shared pipeline all instructions
// come by, else those that touch memory. Where sub-cores have queues for memory (memory_queue) groups wait there, and
// the stage takes them from there. In the stage a group stays as long as a warp instruction takes at the issue port, or
// longer: one line per l1_cycle and port, one pass over the banks after the other, one constant address after the
// other; and as long as a line finds no room (registers for misses, ways of its set, the queue to the network). All
// that is longer is a stall of the memory pipeline, counted by cause.
//
// A group whose time in the stage is known is booked at once; only lines of the caches need a tick per cycle.
#pragma once

#include <string>

#include "core/core_watch.h"
#include "core/first_level.h"
#include "core/flights.h"
#include "core/lane_returns.h"
#include "core/last_stage.h"
#include "core/last_times.h"
#include "core/memory_queues.h"
#include "core/stage_group.h"
#include "core/store_buffer.h"

namespace heddle {

class LoadStoreUnit {
 public:
  // `returns`: told of the lines of loads, `watch`: of all accesses; may be null.
  LoadStoreUnit(const CoreParameters& parameters, unsigned core, Outlet& outlet, Flights& flights, LaneReturns* returns,
                CoreWatch* watch, CoreStats& stats);

  bool full(unsigned sub_core, CoreCycle now);  // no group can be issued into the pipeline now
  // A group that touches no memory passes by (shared pipeline).
  void pass(FlightId flight, unsigned latency, CoreCycle now);
  bool nobody_waits() const { return queue_.empty(); }
  // Where nobody waits: when it ends.
  CoreCycle pass_at_once(unsigned latency, CoreCycle now);
  // A group of a memory instruction; what it touched is in `access`.
  void access(FlightId flight, const Instruction& instruction, const Access& access, const Lanes& lanes, CoreCycle now);
  // The same, where nobody waits and nobody watches, of an instruction that is not a flight: when it ends, if that is
  // known. kNever: it is at the stage, and fly() says which one it is.
  bool takes_at_once() const { return queue_.empty() && !waiting_.used(); }
  CoreCycle access_at_once(const Instruction& instruction, const Access& access, const Lanes& lanes, CoreCycle now);
  void fly(FlightId flight);

  // True: a group has moved on, there may be a place in the pipeline.
  bool tick(CoreCycle now) { return is_due(now) && work(now); }
  bool is_due(CoreCycle now) const { return now >= rests_until_ && !calm(); }
  // Nothing is due before somebody comes.
  bool calm() const { return quiet() && !outlet_.waits(); }
  bool work(CoreCycle now);     // where it is
  void account(CoreCycle now);  // stalls up to now
  // Data, Constant, Texture or Atomic. Returns when the core has something to do because of it: now, if the stage was
  // stopped by what is free again, or when an instruction completes; kNever if neither.
  CoreCycle reply(uint32_t tag, CoreCycle now);
  [[gnu::always_inline]] CoreCycle next(
      CoreCycle now) const {  // when tick() is due; kNever: not before a reply or room
    return stores_.empty() ? next_of_stage(now) : std::min(next_of_stage(now), next_of_stores(now));
  }
  // When a place in the pipeline gets free, as far as that is known.
  CoreCycle next_place() const {
    return waiting_.used() || queued() >= places_ ? kNever : entering_.last(places_ - queued());
  }
  // The instruction that keeps others from the stage; known where somebody watches.
  Pc held_by() const;
  bool quiet() const { return queue_.empty() && waiting_.empty() && stores_.empty(); }
  bool wants_room() const { return (blocked_ && blocked_by_ == MemoryStall::Network) || stores_lack_room_; }
  void explain(std::string& text) const;

 private:
  size_t queued() const { return queue_.size() - (!queue_.empty() && queue_.front().in_stage ? 1 : 0); }
  struct Known {  // a group whose time in the stage is
    CoreCycle ready;
    unsigned hold, rest;
    MemoryStall cause;
  };
  CoreCycle rest() const;
  CoreCycle end_of(const Known& group, CoreCycle now);
  void book(const StageGroup& group, CoreCycle now) {
    if (watch_) tell_served(group);
    flights_.done(group.flight, end_of({group.ready, group.hold, group.rest, group.cause}, now));
  }
  void tell_served(const StageGroup& group);
  StageGroup& append(FlightId flight, unsigned rest, CoreCycle now);
  void collect(StageGroup& group, const Instruction& instruction, const Access& access, const Lanes& lanes);
  CoreCycle leave(CoreCycle when, CoreCycle now);
  CoreCycle end_of_reply(CoreCycle now);
  bool move_on(CoreCycle now);
  bool take_next(CoreCycle now);
  bool serve_lines(StageGroup& group, CoreCycle now);
  void pass_banks(StageGroup& group);
  void serve_hits(StageGroup& group);
  bool serve_hit(const StageGroup& group, CoreCycle now);
  FirstLevel* loads_from(StageGroup::Path path);
  FirstLevel& asked_by(Origin origin);  // for what comes
  void there(const StageGroup& group, Address line, CoreCycle when);
  unsigned hit_latency(StageGroup::Path path) const;
  void look_ahead(CoreCycle now);
  void block(CoreCycle since, MemoryStall cause);
  FirstLevel::Answer serve(const StageGroup& group, const LineAccess& line, CoreCycle now);
  FirstLevel::Answer keep_store(const LineAccess& line, CoreCycle now);
  void send_stores(CoreCycle now);
  void send_oldest(CoreCycle now);
  CoreCycle next_of_stage(CoreCycle now) const;
  CoreCycle next_of_stores(CoreCycle now) const {
    return stores_lack_room_ ? kNever : std::max(now + 1, stores_.due());
  }
  FirstLevel::Answer send_atomic(const StageGroup& group, const LineAccess& line, CoreCycle now);
  unsigned ports(const StageGroup& group, CoreCycle now) const;
  void count_hold(const StageGroup& group, CoreCycle from, CoreCycle to, MemoryStall cause);

  const CoreParameters& parameters_;
  const unsigned places_;
  const unsigned stage_;  // cycles in the stage, at least
  const unsigned rest_;   // cycles from the stage to the end of a memory instruction
  Outlet& outlet_;
  Flights& flights_;
  LaneReturns* const returns_;
  CoreWatch* const watch_;
  CoreStats& stats_;
  FirstLevel l1_, past_, constant_, texture_;
  GroupCollector collector_;
  LastStage last_stage_;
  MemoryQueues waiting_;
  StoreBuffer stores_;
  bool stores_lack_room_ = false;  // and wait for it
  Queue<StageGroup> queue_;        // not booked; the front may be in the stage
  LastTimes entering_;             // when groups that are booked enter the stage
  Pc last_ = kNoPc;                // where somebody watches: the instruction that left the stage or was booked last
  CoreCycle rests_until_{0};       // nothing of what is here can happen before
  CoreCycle free_{0};              // the stage is free from then on, once the queue's front has left
  bool blocked_ = false;           // the front cannot go on; since, and why:
  CoreCycle blocked_since_{0};
  MemoryStall blocked_by_ = MemoryStall::Mshr;
  CoreCycle fill_cycle_ = kNever;
  unsigned fills_ = 0;    // in that cycle
  unsigned atomics_ = 0;  // that are not answered
};

[[gnu::always_inline]] inline bool LoadStoreUnit::full(unsigned sub_core, CoreCycle now) {
  if (waiting_.used()) return waiting_.full(sub_core);
  return queued() >= places_ || entering_.last(places_ - queued()) > now;
}

// A group whose time in the stage is known; those before it have left, or it is known when they do.
[[gnu::always_inline]] inline CoreCycle LoadStoreUnit::end_of(const Known& group, CoreCycle now) {
  const CoreCycle enter = std::max(group.ready, free_);
  const unsigned hold = std::max(stage_, group.hold);
  free_ = leave(enter + hold, now);
  if (hold > stage_) stats_.memory_stalls[static_cast<size_t>(group.cause)] += hold - stage_;
  entering_.push(enter);
  return free_ - stage_ + group.rest;
}

[[gnu::always_inline]] inline CoreCycle LoadStoreUnit::leave(CoreCycle when, CoreCycle now) {
  return parameters_.reply_slots ? last_stage_.leave(when, now) : when;
}

[[gnu::always_inline]] inline CoreCycle LoadStoreUnit::pass_at_once(unsigned latency, CoreCycle now) {
  const unsigned rest = latency - parameters_.memory_stage;
  return end_of({now + parameters_.memory_stage, 0, rest, MemoryStall::Banks}, now);
}

inline void LoadStoreUnit::pass(FlightId flight, unsigned latency, CoreCycle now) {
  if (nobody_waits())
    flights_.done(flight, pass_at_once(latency, now));
  else
    append(flight, latency - parameters_.memory_stage, now);
}

[[gnu::always_inline]] inline CoreCycle LoadStoreUnit::next_of_stage(CoreCycle now) const {
  if (queue_.empty()) return waiting_.empty() ? CoreCycle(kNever) : std::max(waiting_.next(), free_);
  const StageGroup& front = queue_.front();
  if (!front.in_stage) return std::max(front.ready, free_);
  if (blocked_ && blocked_by_ != MemoryStall::Port) return kNever;
  return std::max(now + 1, front.resume);
}

}  // namespace heddle
