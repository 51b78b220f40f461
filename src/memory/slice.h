// One slice of the L2, between the network and its DRAM channel. It knows addresses inside its channel only.
//
// Every network cycle, in this order:
//   the oldest read that DRAM has finished fills its line, and answers one of those that wait for it; the next ones
//     follow one per cycle, before the next read
//   the oldest request of the input queue is looked up, one per cycle; where it needs a place that is not free (reply,
//     MSHR, merge, a way that is not Pending, DRAM queue) it stays, and with it all behind it
//   answers that are ready go to the reply network while that has room: in order of the cycle they became ready,
//     fetched lines before hits
//
// Hits are answered l2_latency cycles after their look-up, pipelined: l2_latency + l2_queue answers have a place.
// Fetched lines are answered l2_miss_latency cycles after they are filled: l2_miss_latency + l2_queue answers have a
// place.
//
// Write-back, write-allocate: a write of a whole line of the L2 takes a way without fetching, one of a part of a line
// fetches it and makes it Dirty. Where l2_write_miss is `pass`, a write that misses takes no way and becomes a DRAM
// write of its line. What finds the DRAM queue full steps aside, as far as l2_miss_queue has places. A miss waits for
// two places in the DRAM queue, a read's and a possible write-back's (a whole line's write: one). An atomic needs the
// line, makes it Dirty and keeps the slice busy (no look-ups, no fills) for atomic_cycles per operation, and is
// answered when that is over (with an atomic_clock: as any hit), with its operands or (atomic_requests is `lane`) the
// line; it counts as a write.
//
// With l2_sector the lines are kept and fetched by sectors, and a write never fetches: a sector that was written whole
// can be read; of one that was written in part the bytes are remembered until the rest is written too, or it must be
// read, and what DRAM then brings lies under them. A read asks DRAM for the sectors that are neither there nor on
// their way, in pieces of dram_access_bytes, and keeps all that comes. DRAM writes what was written in part as it
// is, with a mask.
//
// With l2_bytes = 0 there is nothing to look up: a read becomes a DRAM read, a write a DRAM write, an atomic a read
// and, once it is done, a write, each of the core's line.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "memory/answer_queue.h"
#include "memory/atomic_pace.h"
#include "memory/cache.h"
#include "memory/channel_map.h"
#include "memory/clock.h"
#include "memory/crossbar.h"
#include "memory/dram_channel.h"
#include "memory/mshrs.h"
#include "memory/request_pool.h"

namespace heddle {

class Slice {
 public:
  Slice(const MemoryParameters& parameters, const Clocks& clocks, const ChannelMap& map, unsigned number,
        DramChannel& dram, Crossbar<Request>& requests, Crossbar<Reply>& replies);

  // From the network: looked up behind the cycle of its arrival. A credit says that there is a place.
  void arrive(const Request& request, NetworkCycle arrival);
  // What is another slice's comes by, and keeps it busy for so many cycles.
  void pass(unsigned cycles, NetworkCycle arrival) { passing_.push_back({cycles, arrival}); }
  void hold(Address inner);  // that line is there, unless something dirty or on its way had to go for it
  void tick(NetworkCycle now, DramCycle memory_edge);  // `memory_edge`: the first one of DRAM behind `now`
  NetworkCycle next() const { return next_; }

  // Answers may be sent ahead of the rest of the slice, by fewer cycles than the shortest answer takes: work() is then
  // a tick but for them, send() what it leaves out, and not before next_send().
  void send_ahead(bool on);
  void work(NetworkCycle now, DramCycle memory_edge);
  void look_ahead();                    // at what it will work on: the host has time to bring that nearer
  NetworkCycle send(NetworkCycle now);  // returns next_send()
  // Does work() wait for a place of an answer? Then it may have something to do earlier when one is sent.
  bool lacks_places() const { return hits_.full() || fetched_.full(); }
  void note_sent(NetworkCycle now) {  // before that: there are places again
    hits_.pass(now);
    fetched_.pass(now);
  }
  // Answers of so many cycles have places, whatever is sent meanwhile.
  bool has_places(uint64_t cycles) const { return hits_.room() >= cycles && fetched_.room() >= cycles; }
  // When work() has made places for requests, since this was cleared.
  std::vector<NetworkCycle>& places_given() { return places_given_; }
  NetworkCycle next_send() const {
    return replies_.room(number_) ? std::min(hits_.ready(), fetched_.ready()) : NetworkCycle(kNever);
  }

  void dram_moved(NetworkCycle edge);  // a column command was given; `edge`: the next that will be ticked
  void network_moved(NetworkCycle now) { wake(now + 1); }  // the reply network has room again

  bool empty() const;
  const CacheStats& stats() const { return stats_; }
  uint64_t atomics() const { return atomics_; }
  uint64_t dram_bytes() const { return dram_bytes_; }  // that it asked for
  uint64_t passed_writes() const { return passed_writes_; }
  void check() const;
  void explain(std::string& text) const;

 private:
  struct Arrived {
    Request request;
    NetworkCycle cycle;  // of its first look-up
    Cache::Guess guess;
  };

  struct Passing {
    unsigned cycles;
    NetworkCycle arrival;
  };

  struct Wish {  // of a request
    const Request& request;
    Cache::Line line;
    Sectors sectors;
  };

  // Why the oldest request stays: Own is what only a fill can give (MSHR, merge, way).
  enum class Stall : uint8_t { None, Answers, Dram, Own };

  void let_pass(NetworkCycle now);
  void serve_due(NetworkCycle now, DramCycle memory_edge);
  bool has_fetched(NetworkCycle now) const;  // and a place for its answer
  void serve_fetched(NetworkCycle now, DramCycle memory_edge);
  void finish(uint32_t number, NetworkCycle now, DramCycle memory_edge);
  void look_up(NetworkCycle now, DramCycle memory_edge);
  Stall serve(const Arrived& arrived, NetworkCycle now, DramCycle memory_edge);
  Stall serve_hit(const Request& request, NetworkCycle now);
  Stall serve_pending(const Request& request, Sectors wants, const Cache::Found& found);
  Stall serve_miss(const Wish& wish, const Cache::Found& found, DramCycle memory_edge);
  Stall serve_whole_write(const Wish& wish, DramCycle memory_edge);
  Stall write_sectors(const Request& request, const Cache::Found& found, DramCycle memory_edge);
  void fetch(const Wish& wish, const Cache::Found& found, Sectors asked, Cache::Way way, DramCycle memory_edge);
  void make_room(Cache::Line line, Sectors coming, Cache::Way room, DramCycle memory_edge);
  Stall pass_write(const Request& request, DramCycle memory_edge);
  Stall serve_uncached(const Request& request, DramCycle memory_edge);
  bool dram_has(size_t places);
  void drain(DramCycle memory_edge);
  Sectors wanted(const Request& request) const;
  ByteMask written(const Request& request) const;
  Sectors in_pieces(Sectors sectors) const;
  unsigned bytes_in_dram(Sectors sectors) const;
  void access_dram(Address inner, unsigned bytes, bool write, uint32_t tag, DramCycle memory_edge);
  NetworkCycle operate(const Request& request, NetworkCycle now);
  Answer answer_to(const Request& request, NetworkCycle ready) const;
  void count(const Request& request, Sectors wants, Sectors valid);
  void mark_dirty(Cache::Way way, Sectors sectors);
  void count_sectors(Request::Kind kind, Sectors wants, Sectors valid);
  NetworkCycle send_answers(NetworkCycle now);
  NetworkCycle earliest(NetworkCycle now);
  NetworkCycle earliest_work() const;
  void note_returns();
  void wake(NetworkCycle cycle) { next_ = cycle < next_ ? cycle : next_; }

  Clock<NetworkCycle> network_;
  Clock<DramCycle> memory_;
  const ChannelMap& map_;
  unsigned number_, latency_, miss_latency_, line_bytes_, line_shift_, atomic_cycles_;
  AtomicPace atomic_pace_;
  unsigned header_, cores_per_port_;
  bool sectored_;
  unsigned piece_;    // sectors of the line that DRAM is asked for together
  bool pass_writes_;  // those that miss
  bool atomic_lanes_;
  DramChannel& dram_;
  Crossbar<Request>& requests_;
  Crossbar<Reply>& replies_;

  std::optional<Cache> cache_;  // none: l2_bytes = 0
  Mshrs mshrs_;
  std::vector<ByteMask> written_;  // per way, with sectors: the bytes that were written, if it is dirty
  RequestPool waiting_;
  Ring<Arrived> input_;
  size_t guessed_ = 0;  // of these, the first
  std::deque<Passing> passing_;
  AnswerQueue hits_, fetched_;
  Ring<DramAccess> aside_;               // for a place in the DRAM queue
  std::optional<Mshrs::Entry> serving_;  // its line is here, some that waited for it are not answered yet
  NetworkCycle busy_until_{0};           // with atomics
  Stall stall_ = Stall::None;
  bool missed_ = false;        // the oldest request was looked up and is no hit
  size_t dram_places_ = 0;     // that the oldest request waits for
  size_t writes_to_come_ = 0;  // of atomics without an L2: their places are kept
  bool keeps_places_ = false;  // those it gives
  std::vector<NetworkCycle> places_given_;
  NetworkCycle next_ = kNever;
  NetworkCycle returned_ = kNever;  // the oldest read of DRAM is finished
  CacheStats stats_;
  uint64_t atomics_ = 0, dram_bytes_ = 0, passed_writes_ = 0;
};

inline void Slice::arrive(const Request& request, NetworkCycle arrival) {
  if (input_.empty()) wake(std::max(arrival + 1, busy_until_));
  Arrived& arrived = input_.append();
  arrived.request = request;
  arrived.cycle = arrival + 1;
  arrived.guess = {};
  if (cache_) cache_->prefetch(request.address >> line_shift_);
}

}  // namespace heddle
