// The parts of a memory system, and how they tick: a cycle of DRAM, of the L2 and of the networks.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "memory/arrivals.h"
#include "memory/channel_map.h"
#include "memory/code_caches.h"
#include "memory/crossbar_ways.h"
#include "memory/dram_channel.h"
#include "memory/memory_system.h"
#include "memory/number_set.h"
#include "memory/read_coalescer.h"
#include "memory/side_by_side.h"
#include "memory/slice.h"

namespace heddle {

struct MemorySystem::Parts {
  static constexpr unsigned kMostLine = 128;   // of a core
  static constexpr unsigned kMostAhead = 512;  // cycles of the network that replies are taken late
  static constexpr size_t kMostChannels = 128;
  template <class Cycle>
  using OfChannels = SideBySide<Cycle, kMostChannels>;
  struct Certain {        // room at a port
    size_t free;          // places
    bool always = false;  // of a core's own: no more than there is will ever be
    bool vouched = true;  // of one that cores share: nobody will find it full
  };

  Parts(const MemoryParameters& p, const Clocks& clocks, unsigned cores, bool skip)
      : parameters(p),
        clocks(clocks),
        skip(skip),
        map(p),
        cores(cores),
        inlets(cores),
        port_room(ports(), p.network_queue),
        certain(ports(), whole()),
        coalescer(p.read_group, cores),
        senders(cores),
        neighbours(std::lcm(std::max(1U, p.read_group), p.network_concentration)),
        unit_cores(neighbours * std::max(1U, kUnitCores / neighbours)),
        code(p, clocks.core, cores),
        memory(clocks.memory),
        network(clocks.network),
        channel_next(p.channels),
        slice_next(p.channels),
        send_next(p.channels),
        last_work(p.channels),
        used_ports(ports()),
        requests({ports(), p.channels, p.network_queue, p.network_latency, p.network_bytes, p.l2_queue, p.l2_port_bytes,
                  p.packed, p.network_takes}),
        replies({p.channels, ports(), p.network_queue, p.network_latency,
                 p.l2_reply_bytes == 0 ? p.reply_bytes() : p.l2_reply_bytes, 0, p.reply_bytes(), p.packed,
                 p.network_takes}),
        arrivals(2 * longest_way(p) + p.l2_latency + kMostAhead) {
    units.resize((cores + unit_cores - 1) / unit_cores);
    channels.reserve(p.channels);
    slices.reserve(p.channels);
    for (unsigned i = 0; i < p.channels; ++i) {
      channels.emplace_back(p, i);
      slices.emplace_back(p, clocks, map, i, channels.back(), requests, replies);
    }
  }

  // Cycles from one side of the network to the other that a reply takes at most.
  static unsigned longest_way(const MemoryParameters& p) {
    const unsigned bytes = p.reply_header + std::max(p.l2_line, kMostLine);
    const unsigned width = p.l2_reply_bytes == 0 ? p.reply_bytes() : std::min(p.reply_bytes(), p.l2_reply_bytes);
    const unsigned flits = width == 0 ? 0 : bytes / width + 1;
    return p.network_latency + std::max(p.l2_far_latency, p.far_miss()) + flits;
  }
  bool is_far(unsigned core, unsigned channel) const {
    const unsigned parts = parameters.l2_partitions;
    return core * parts / cores != channel * parts / parameters.channels;
  }
  unsigned port_of(unsigned core) const { return core / parameters.network_concentration; }
  unsigned ports() const { return port_of(cores - 1) + 1; }
  template <class Cycle>
  bool due(Cycle next, Cycle cycle) const {
    return next <= cycle || !skip;
  }
  template <class Cycle, class F>
  void for_each_due(const OfChannels<Cycle>& nexts, Cycle cycle, F&& f) const {
    if (skip) return nexts.for_each_due(cycle, f);
    for (size_t i = 0; i < parameters.channels; ++i) f(i);
  }
  void advance(Tick time);
  void work();
  bool some_arrive(NetworkCycle cycle) const { return arrivals.next() <= cycle || coalescer.groups() > 0; }
  void arrive(NetworkCycle cycle, std::vector<Reply>& cores);
  void tick_requests(NetworkCycle cycle, std::vector<uint16_t>& freed);
  void pass_on(const Request& request, unsigned channel, NetworkCycle arrival);
  void tick_dram();
  void tick_slices();
  void tick_replies(NetworkCycle cycle);
  // The parts of channel `i` may have got something to do earlier than they said.
  void note(size_t i) {
    const DramCycle next = channels[i].next();
    channel_next.set(i, next);
    first_channel = std::min(first_channel, next);
    note_slice(i);
  }
  void note_slice(size_t i) {
    const NetworkCycle next = slices[i].next();
    slice_next.set(i, next);
    first_slice = std::min(first_slice, next);
  }
  void note_answers(size_t i) {
    const NetworkCycle next = slices[i].next_send();
    send_next.set(i, next);
    first_send = std::min(first_send, next);
  }

  // ---- running ahead
  // Cycles that the shortest packet is under way at least; a request is looked up in the cycle behind.
  unsigned request_way() const { return parameters.network_latency + (parameters.network_bytes > 0 ? 1 : 0); }
  unsigned reply_way() const { return parameters.network_latency + (parameters.reply_bytes() > 0 ? 1 : 0); }
  // Cycles that the shortest answer is in its slice at least.
  unsigned answer_way() const {
    return parameters.l2_bytes > 0 ? std::min(parameters.l2_latency, parameters.l2_miss_latency) : 0;
  }
  unsigned whole_way() const { return request_way() + 1 + answer_way() + reply_way(); }
  void tell(std::span<const Reply> replies, Tick time, std::vector<Arrival>& known);
  // Where none are joined, cores hear of replies as they are granted.
  bool tells_at_once() const { return ahead && coalescer.groups() == 0; }
  void tell(const Reply& reply, Tick time) {
    to_tell.push_back({time, reply});
    first_to_tell = std::min(first_to_tell, time);
    ++answered;
  }
  void take_back_told();
  struct Unit;  // of cores
  void hand_over(Tick before, Tick until, const SideWork& side_by_side);
  void hand_over_from(unsigned unit);
  void fetch_sent(std::span<const unsigned> cores) const;
  bool put_into_network(Unit& unit, unsigned port);
  bool joins(const Request& request, Tick now);
  bool joins_settled(const Request& request, Tick now);
  bool join(const Request& request, ReadCoalescer::Index read, bool noted);  // noted: until take_joined()
  void settle(unsigned group, Tick time, unsigned upto);
  void settle_all(std::span<const unsigned> cores, Tick before);
  void take_joined(std::span<const unsigned> cores);
  void join_those_ahead(std::vector<Arrival>& known);
  bool shares_ports() const { return parameters.network_concentration > 1; }
  Certain whole() const { return {.free = parameters.network_queue, .always = true}; }
  void find_room();
  bool has_room(unsigned port) const;
  void catch_up(std::vector<uint16_t>& freed, const SideWork& side_by_side);
  bool follow_requests(std::vector<uint16_t>& freed);
  void follow(NetworkCycle end, std::vector<uint16_t>& freed);
  void work_until(NetworkCycle end, const SideWork& side_by_side);
  void work_on(unsigned channel);
  void take_places_given();
  void send_answers(NetworkCycle cycle);
  void reply_until(NetworkCycle end);
  bool follows(Tick before) const { return followed >= std::max(clocks.network.at_or_after(before), handed); }
  Tick next_work() const { return std::min(time(clocks.memory, first_channel), time(clocks.network, first_slice)); }
  NetworkCycle next_reply() const { return std::max(replied, std::min(first_send, replies.next())); }
  template <class Clock, class Cycle>
  static Tick time(const Clock& clock, Cycle cycle) {
    return cycle == kNever ? Tick(kNever) : clock.time(cycle);
  }

  // What cores ask for and write to, each on its own thread. Nothing the memory system writes to while it goes on lies
  // among it.
  const MemoryParameters parameters;
  const Clocks clocks;
  const bool skip;
  bool ahead = false;
  const ChannelMap map;
  const unsigned cores;
  struct Waiting {  // to be put into the network
    Request request;
    Address inner = 0;
    unsigned channel = 0, bytes = 0;
    NetworkCycle edge;
    Tick time;
  };
  struct Joined {
    ReadCoalescer::Index read;
    Reply who;
  };
  struct alignas(kApart) Inlet {  // of a core. No two threads use one at a time
    uint64_t to_be_answered = 0, answered = 0;
    uint64_t joins = 0;  // reads that have joined others
    std::vector<Waiting> waiting;
    size_t handed = 0;                  // of those that wait, the first: they are in the network
    size_t sent = 0;                    // since something was handed over last
    size_t settled = 0, looked_at = 0;  // of those that wait, the first; between the two: those that have joined
    bool unmatched = false;             // some of those: it was not known what comes by then
    bool in_turn = false;               // it does the present cycle, and of its neighbours those before it have
    std::vector<Joined> joined;         // since then
    std::vector<Arrival> heard;         // answers to those that have joined, of which the core is not told yet
    const Waiting& unsettled() const { return waiting[looked_at]; }
    void drop_joined() {
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(settled),
                    waiting.begin() + static_cast<std::ptrdiff_t>(looked_at));
      looked_at = settled;
    }
  };
  Waiting& keep(const Request& request);
  void settle_next(Inlet& inlet);
  bool join_those_ahead(Inlet& inlet, std::vector<Arrival>& known);
  template <class F>
  void for_each_group_of(std::span<const unsigned> sorted, F&& f) {
    unsigned next = 0;
    for (const unsigned core : sorted)
      if (const unsigned group = core / parameters.read_group; group >= next) {
        f(group);
        next = group + 1;
      }
  }
  std::span<Inlet> group_of(unsigned number) {
    const unsigned first = number * parameters.read_group;
    return std::span(inlets).subspan(first, std::min(parameters.read_group, cores - first));
  }
  std::vector<Inlet> inlets;
  std::vector<size_t> port_room;  // behind all that was handed over
  std::vector<Certain> certain;   // by port
  ReadCoalescer coalescer;
  bool apart = false;  // cores go on side by side
  bool by_itself(const Inlet& inlet) const { return apart && !inlet.in_turn; }
  Tick told;          // before that it is known what comes
  NumberSet senders;  // cores that may have sent what is not handed over
  // Cores that share no port, and no answers, with others. What is handed over is so by each for itself.
  struct alignas(kApart) Unit {
    std::vector<unsigned> senders, left;   // of its cores; those that wait for more
    std::vector<unsigned> ports;           // where something was sent
    std::vector<std::span<Waiting>> runs;  // of the cores at a port, while they are put into the network
    NetworkCycle next_waiting = kNever;    // of those that are left
  };
  static constexpr unsigned kUnitCores = 12, kFewUnits = 4;  // about: fewer are not worth a call
  const unsigned neighbours, unit_cores;
  std::vector<Unit> units;
  std::vector<unsigned> sending;  // units
  Tick handing;                   // what was sent before that is handed over
  CodeCaches code;

  alignas(kApart) Tick now;
  Following<DramCycle> memory;
  Following<NetworkCycle> network;
  // What the parts say, and the least of it.
  OfChannels<DramCycle> channel_next;
  OfChannels<NetworkCycle> slice_next, send_next;
  DramCycle first_channel = kNever;
  NetworkCycle first_slice = kNever, first_send = kNever;
  std::vector<DramChannel> channels;
  NetworkCycle work_begin;        // of what channels do now, each by itself: before it slices have done all,
  Tick work_end;                  // and its end,
  std::vector<unsigned> working;  // these,
  struct alignas(kApart) Last {
    Tick time;
  };
  std::vector<Last> last_work;  // and when each did something last
  struct Place {
    NetworkCycle cycle;
    unsigned channel;
  };
  std::vector<Place> places_given;     // by them
  NumberSet used_ports;                // that have not all their room
  int unvouched = 0;                   // ports
  NetworkCycle next_waiting = kNever;  // of those that were not handed over
  // All cycles before these have been done by the network of requests, by slices and DRAM, and by that of replies.
  NetworkCycle followed{0}, worked{0}, replied{0};
  NetworkCycle handed{0};       // so far the first of them may go,
  NetworkCycle bound = kNever;  // and all of them, DRAM
  Tick last = kNever;           // before this
  bool rests = false;           // slices and the network of replies have not gone as far as they could
  Crossbar<Request> requests;
  Crossbar<Reply> replies;
  std::vector<Slice> slices;
  Arrivals arrivals;
  std::vector<Arrival> to_tell;
  Tick first_to_tell = kNever;
  uint64_t answered = 0;
  std::vector<Reply> joined;  // while it is told who has
};

inline void MemorySystem::Parts::work() {
  if (memory.edge(now) && due(first_channel, memory.cycle())) tick_dram();
  if (!network.edge(now)) return;
  if (due(first_slice, network.cycle())) tick_slices();
  if (due(replies.next(), network.cycle())) tick_replies(network.cycle());
}

inline void MemorySystem::Parts::arrive(NetworkCycle cycle, std::vector<Reply>& cores) {
  arrivals.take(cycle, [&](std::span<const Reply> now) { cores.insert(cores.end(), now.begin(), now.end()); });
  if (coalescer.groups() > 0) {
    if (ahead) settle_all(senders.sorted(), clocks.network.time(cycle));
    coalescer.add_joined(cores, clocks.network.time(cycle));
  }
  answered += cores.size();
}

// The rest of what waits is left to who sends it.
inline MemorySystem::Parts::Waiting& MemorySystem::Parts::keep(const Request& request) {
  Inlet& inlet = inlets[request.core];
  if (!apart) senders.add(request.core);
  Waiting& waiting = inlet.waiting.emplace_back();
  waiting.request = request;
  ++inlet.sent;
  if (!by_itself(inlet)) inlet.settled = inlet.looked_at = inlet.waiting.size();
  return waiting;
}

inline void MemorySystem::Parts::advance(Tick time) {
  if (now == time) return;
  now = time;
  memory.advance(now);
  network.advance(now);
}

}  // namespace heddle
