// Instructions under way in a core: what each still waits for, and when it completes.
//
// advance() comes first whenever the core does anything. Life cycle of an instruction: start() with the number of
// groups that carry it; wait() for each thing it waits for beside them (a line that missed); done() for each group and
// each such thing, with the cycle at which its result is there. The last done() books the completion at the latest of
// these cycles; complete_due() hands it out then.
//
// Of many it is known when they are issued when they end, and there is little to do then. call() has a warp called at
// that time, and nothing is kept of the instruction; until() says that there is one which nobody waits for so far.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/bit_ring.h"
#include "base/types.h"

namespace heddle {

using FlightId = uint32_t;

struct Flight {
  WarpId warp{0};
  uint16_t waits = 0;   // groups and lines that are not done
  uint16_t lines = 0;   // of these, lines that come from memory
  bool missed = false;  // there was such a line
  uint8_t part = 0;     // of the core: who issued it
  Pc pc = 0;
  CoreCycle finish{0};
  FlightId next = 0;    // in its bucket
  CoreCycle issued{0};  // the last of its groups
};

class Flights {
 public:
  Flights() : buckets_(kBuckets) {}

  // Time has come to `now`.
  void advance(CoreCycle now) {
    horizon_ = now + kBuckets;
    if (!far_.empty()) bring_near();
  }

  FlightId start(WarpId warp, Pc pc, unsigned groups, unsigned part = 0) {
    const FlightId id = take_id();
    flights_[id] = {warp,
                    static_cast<uint16_t>(groups),
                    0,
                    false,
                    static_cast<uint8_t>(part),
                    pc,
                    CoreCycle{},
                    kEnd,
                    horizon_ - kBuckets};
    return id;
  }
  void issue_another(FlightId id) { flights_[id].issued = horizon_ - kBuckets; }  // of its groups, now
  // One whose end is known.
  [[gnu::always_inline]] FlightId start_until(CoreCycle end, WarpId warp, Pc pc, unsigned part) {
    const FlightId id = take_id();
    flights_[id] = {warp, 0, 0, false, static_cast<uint8_t>(part), pc, end, kEnd, horizon_ - kBuckets};
    book(id);
    return id;
  }
  // Times that lie so near may be called at, and warps with such ids.
  bool calls(WarpId warp, CoreCycle at) const { return warp < 64U && at < horizon_; }
  [[gnu::always_inline]] void call(WarpId warp, CoreCycle at) {
    uint64_t& warps = buckets_[at % kBuckets].calls;
    const uint64_t bit = uint64_t{1} << warp;
    under_way_ += (warps & bit) == 0 ? 1 : 0;
    warps |= bit;
    occupied_.set(at % kBuckets);
  }
  void until(CoreCycle end) { known_until_ = std::max(known_until_, end); }
  // A line that comes from memory.
  void wait(FlightId id) {
    Flight& flight = flights_[id];
    ++flight.waits;
    flight.missed = true;
    if (flight.lines++ == 0 && waiting_[flight.part]++ == 0) turned_ |= 1U << flight.part;
  }
  void at_least(FlightId id, CoreCycle when) { flights_[id].finish = std::max(flights_[id].finish, when); }
  // Both return when the instruction completes, if that is known now; else kNever.
  CoreCycle line_done(FlightId id, CoreCycle when) {
    const unsigned part = flights_[id].part;
    if (--flights_[id].lines == 0 && --waiting_[part] == 0) turned_ |= 1U << part;
    return done(id, when);
  }
  CoreCycle done(FlightId id, CoreCycle when) {
    Flight& flight = flights_[id];
    flight.finish = std::max(flight.finish, when);
    if (--flight.waits > 0) return kNever;
    book(id);
    return flight.finish;
  }

  const Flight& at(FlightId id) const { return flights_[id]; }
  bool has_missed(FlightId id) const { return flights_[id].lines > 0; }  // a line of it comes from memory
  // Those of which no more is known than their end are one.
  unsigned under_way() const { return under_way_ + (known_under_way() ? 1 : 0); }
  // Instructions with a line under way, of a part or all.
  unsigned waiting_for_memory(unsigned part) const { return waiting_[part]; }
  // Bits for the parts of which some instruction waits and none did when this was asked last, or the other way round,
  // and maybe for some that have been both.
  unsigned take_turned() { return std::exchange(turned_, 0); }
  unsigned waiting_for_memory() const { return std::accumulate(waiting_.begin(), waiting_.end(), 0U); }

  // Calls called(warp) for each that is to be called at `now`, then f(id, flight) for each that completes, in the order
  // they were booked. True if there was one.
  template <class Called, class F>
  [[gnu::always_inline]] bool complete_due(CoreCycle now, Called&& called, F&& f) {
    const size_t place = now % kBuckets;
    if (!occupied_.test(place)) return false;
    occupied_.clear(place);
    Bucket& bucket = buckets_[place];
    uint64_t warps = std::exchange(bucket.calls, 0);
    FlightId id = std::exchange(bucket.head, kEnd);
    unsigned calls = 0;
    for (; warps != 0; warps &= warps - 1, ++calls) called(static_cast<WarpId>(std::countr_zero(warps)));
    under_way_ -= calls;
    while (id != kEnd) {
      const Flight flight = flights_[id];
      free_.push_back(id);
      --under_way_;
      f(id, flight);
      id = flight.next;
    }
    return true;
  }
  // Is there one that completes at `now`, and f(flight)? By what is known before that cycle.
  template <class F>
  bool any_due(CoreCycle now, F&& f) const {
    for (FlightId id = buckets_[now % kBuckets].head; id != kEnd; id = flights_[id].next)
      if (flights_[id].finish == now && f(flights_[id])) return true;
    return std::any_of(far_.begin(), far_.end(),
                       [&](FlightId id) { return flights_[id].finish == now && f(flights_[id]); });
  }
  // The next cycle, not before `now`, at which something completes; kNever: not known yet.
  CoreCycle next(CoreCycle now) const {
    if (const size_t away = occupied_.distance(now % kBuckets); away < kBuckets) return now + away;
    CoreCycle next = kNever;
    for (FlightId id : far_) next = std::min(next, flights_[id].finish - kBuckets + 1);
    return known_under_way() ? std::min(next, known_until_) : next;
  }

 private:
  static constexpr size_t kBuckets = 128;
  static constexpr FlightId kEnd = ~FlightId{0};

  [[gnu::always_inline]] FlightId take_id() {
    ++under_way_;
    if (free_.empty()) [[unlikely]] {
      flights_.emplace_back();
      return static_cast<FlightId>(flights_.size() - 1);
    }
    const FlightId id = free_.back();
    free_.pop_back();
    return id;
  }
  [[gnu::always_inline]] void book(FlightId id) {
    const CoreCycle at = flights_[id].finish;
    if (at >= horizon_) return far_.push_back(id);
    Bucket& bucket = buckets_[at % kBuckets];
    if (bucket.head == kEnd) {
      bucket.head = id;
      occupied_.set(at % kBuckets);
    } else {
      flights_[bucket.tail].next = id;
    }
    bucket.tail = id;
  }
  bool known_under_way() const { return known_until_ + kBuckets > horizon_; }
  void bring_near() {
    std::vector<FlightId> all;
    all.swap(far_);
    for (FlightId id : all) book(id);
  }

  std::vector<Flight> flights_;
  std::vector<FlightId> free_, far_;
  struct Bucket {
    FlightId head = kEnd, tail = kEnd;  // the tail is that of a list, if there is one
    uint64_t calls = 0;                 // warps
  };
  std::vector<Bucket> buckets_;
  CoreCycle known_until_{0};
  BitRing<kBuckets> occupied_;
  unsigned under_way_ = 0;
  std::array<unsigned, kMostSubCores> waiting_{};  // by part
  unsigned turned_ = 0;
  CoreCycle horizon_{kBuckets};  // completions before it have a bucket of their own, later ones are far
};

}  // namespace heddle
