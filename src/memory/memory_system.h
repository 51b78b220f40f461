// Everything below the cores: the network, a slice of the L2 and a DRAM channel per memory channel.
//
// Life cycle: one per GPU, it outlives launches (the L2 stays warm). The machine calls, at every time at which some
// part has something to do (next(), or a core's own),
//   before_cores(now)   DRAM channels, then L2 slices, then the reply network; replies() are what reached the cores now
//   the cores           which send() requests where room() says so
//   after_cores(now)    the request network; freed() are the cores whose queue has got room
// Each part ticks on edges of its own clock and sleeps until it has something to do: ticking it more often (`skip`
// false: at every edge) changes nothing.
//
// run_ahead(true): the cores may be ahead of it by as much as it takes from a core and back (shortest_way()). What
// reaches them before known() is known, and taken by take_known(); what they send is kept. hand_over() takes what they
// have sent before a time that they all have left behind, and catch_up() goes there and as far behind it as nothing
// matters that is sent later, beside the cores if they know what they need: what they send meanwhile is kept for the
// next time. None may ask for room() that is not certain(): unless all that was sent before is handed over and caught
// up with. Where several cores share a port, who knows how much they can send vouches for its room; without, none is
// ahead of another, and they go one after the other. While cores go on side by side (part(true)), each sees for itself
// which reads that were handed over before it joins, of cores that sit together(); other reads join each other when
// they are handed over. Where one of these cores is not certain of room, each is given its turn, for one cycle.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "memory/clock.h"
#include "memory/memory_parameters.h"
#include "memory/request.h"
#include "stats/memory_stats.h"

namespace heddle {

class MemorySystem {
 public:
  MemorySystem(const MemoryParameters& parameters, const Clocks& clocks, unsigned cores, bool skip = true);
  ~MemorySystem();

  bool room(unsigned core) const;
  void send(const Request& request, Tick now);  // there must be room

  void hold(Address address, uint64_t bytes);  // these lines are in the L2 from now on, and take no time

  bool has_code_caches() const;                     // that cores share: then code needs no room
  void hold_code(Address address, uint64_t bytes);  // its beginning is in these

  void before_cores(Tick now);
  void after_cores(Tick now);
  std::span<const Reply> replies() const { return replies_; }
  std::span<const uint16_t> freed() const { return freed_; }

  bool takes_time() const;                 // else nobody can be ahead
  Tick shortest_way() const;               // from a core and back, as a span of time
  bool has_long_network(Tick span) const;  // does that take so long for its way through the network alone?
  bool has_wide_ports() const;             // for who is ahead by so much
  unsigned channels() const;
  unsigned together() const;    // so many neighbours, who may get the answers to each other's reads
  unsigned at_port() const;     // so many neighbours have one
  unsigned neighbours() const;  // so many share ports or such answers, and with no others
  void run_ahead(bool on, Tick now);
  Tick known() const;
  struct Arrival {
    Tick time;
    Reply reply;
    uint32_t rank = 0;  // among those of this time: behind those for who asked the others come, in the same order
    // Code comes last: it may be known later than others behind it.
    bool is_before(const Arrival& other) const {
      if (time != other.time) return time < other.time;
      return reply.code != other.reply.code ? other.reply.code : rank < other.rank;
    }
  };
  // Those before that time, and perhaps some later ones, in place of none.
  void take_known(Tick before, std::vector<Arrival>& arrivals);
  void expect_from(unsigned core);          // it may send something from now on
  void part(bool on);                       // cores go on side by side
  void give_turn(unsigned core, Tick now);  // of its neighbours it alone does that, and those before it have done so
  void end_turn(unsigned core);
  // Answers, known by now, to those of its reads that have joined others: to be taken by who tells it.
  std::vector<Arrival>& joined(unsigned core);
  Tick code_known(unsigned core) const;                // where it has asked for code: up to then that is known, too
  bool certain(unsigned core, size_t requests) const;  // there is room for so many, whatever the others do
  size_t certain_places(unsigned core) const;          // for so many at its own port
  size_t certain_for_each() const;                     // for so many of any core
  size_t free_places(unsigned port) const;             // beside all that was sent
  void vouch(unsigned port, bool sure);                // of one that cores share: they will not find it full
  void catch_up();                                     // freed() are those of all this time
  // Has parts of which each has something to do, for so many cycles, do that by do_part(), one after the other or side
  // by side: channels, or units of cores, whose requests are handed over.
  enum class Work : uint8_t { Channels, HandOver };
  using SideWork = std::function<void(Work what, std::span<const unsigned> numbers, uint64_t cycles)>;
  void do_part(Work what, unsigned number);
  unsigned units() const;                                                      // their numbers are below
  void hand_over(Tick before, Tick bound, const SideWork& side_by_side = {});  // `bound`: no part is to be ahead of it
  void follow(Tick before, Tick bound, const SideWork& side_by_side = {});     // hand over and catch up
  // Hands over, and the network of requests alone follows, where slices are ahead of it: else false. Who waits for room
  // then knows of it, and what is known() stays as it was until the rest follows.
  bool follow_requests(Tick before, Tick bound);
  bool rests() const;               // it did that last
  bool follows(Tick before) const;  // has the network of requests done so?
  void drain(Tick before);          // nothing is sent any more, nor answered
  Tick next_ahead() const;          // of all parts
  Tick worked() const;              // the last time at which the L2 or DRAM had something to do

  Tick next() const;   // the next time some part has something to do; kNever: all is quiet
  bool quiet() const;  // nothing under way; dirty lines may lie in the L2
  MemoryStats stats() const;
  void check() const;                // laws of conservation; only when quiet
  void explain(std::string&) const;  // what is under way, for a person

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::vector<Reply> replies_;
  std::vector<uint16_t> freed_;
};

}  // namespace heddle
