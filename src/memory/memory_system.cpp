#include "memory/memory_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.h"
#include "memory/arrivals.h"
#include "memory/channel_map.h"
#include "memory/crossbar.h"
#include "memory/dram_channel.h"
#include "memory/read_coalescer.h"
#include "memory/side_by_side.h"
#include "memory/slice.h"

namespace heddle {
namespace {

constexpr unsigned kMostLine = 128;   // of a core
constexpr unsigned kMostAhead = 512;  // cycles of the network that replies are taken late

// Bytes of data in the packet of a request.
unsigned data_sent(const Request& request, const MemoryParameters& p) {
  switch (request.kind) {
    case Request::Kind::Read: return 0;
    case Request::Kind::Atomic: return request.bytes;
    case Request::Kind::Write: break;
  }
  const unsigned mask = request.whole_line() ? 0 : request.line_bytes / 8;  // a bit per byte
  switch (p.write_packet) {
    case MemoryParameters::WritePacket::Bytes: return request.bytes;
    case MemoryParameters::WritePacket::Sectors:
      return request.sectors == 0 ? request.line_bytes : count_of(request.sectors) * kSectorBytes;
    case MemoryParameters::WritePacket::Line: break;
  }
  return request.line_bytes + mask;
}

}  // namespace

struct MemorySystem::Parts {
  Parts(const MemoryParameters& p, const Clocks& clocks, unsigned cores, bool skip)
      : parameters(p),
        clocks(clocks),
        skip(skip),
        map(p),
        cores(cores),
        memory(clocks.memory),
        network(clocks.network),
        channel_next(p.channels),
        slice_next(p.channels),
        inlets(ports()),
        requests({ports(), p.channels, p.network_queue, p.network_latency, p.network_bytes, p.l2_queue, p.l2_port_bytes,
                  p.packed}),
        replies({p.channels, ports(), p.network_queue, p.network_latency,
                 p.l2_reply_bytes == 0 ? p.reply_bytes() : p.l2_reply_bytes, 0, p.reply_bytes(), p.packed}),
        arrivals(2 * longest_way(p) + kMostAhead),
        coalescer(p.read_group, cores) {
    channels.reserve(p.channels);
    slices.reserve(p.channels);
    for (unsigned i = 0; i < p.channels; ++i) {
      channels.emplace_back(p);
      slices.emplace_back(p, clocks, i, channels.back(), requests, replies);
    }
  }

  // Cycles from one side of the network to the other that a reply takes at most.
  static unsigned longest_way(const MemoryParameters& p) {
    const unsigned bytes = p.reply_header + std::max(p.l2_line, kMostLine);
    const unsigned width = p.l2_reply_bytes == 0 ? p.reply_bytes() : std::min(p.reply_bytes(), p.l2_reply_bytes);
    const unsigned flits = width == 0 ? 0 : bytes / width + 1;
    return p.network_latency + p.l2_far_latency + flits;
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
  template <class Cycle>
  uint64_t due(const SideBySide<Cycle>& nexts, Cycle cycle) const {
    return skip ? nexts.due(cycle) : ~uint64_t{0} >> (64 - parameters.channels);
  }
  void advance(Tick time);
  void work();
  void arrive(std::vector<Reply>& cores);
  void tick_requests(NetworkCycle cycle, std::vector<uint16_t>& freed);
  void tick_dram();
  void tick_slices();
  void tick_replies();
  // The parts of channel `i` may have got something to do earlier than they said.
  void note(size_t i) {
    channel_next.set(i, channels[i].next());
    slice_next.set(i, slices[i].next());
    first_channel = std::min(first_channel, channels[i].next());
    first_slice = std::min(first_slice, slices[i].next());
  }

  // ---- running ahead
  // Cycles that the shortest packet is under way at least.
  unsigned request_way() const { return parameters.network_latency + (parameters.network_bytes > 0 ? 1 : 0); }
  unsigned reply_way() const { return parameters.network_latency + (parameters.reply_bytes() > 0 ? 1 : 0); }
  NetworkCycle next_push() const;
  void gather_waiting(Tick before);
  Tick next_work() const {
    const NetworkCycle network_next = std::min(first_slice, replies.next());
    return std::min(time(clocks.memory, first_channel), time(clocks.network, network_next));
  }
  template <class Clock, class Cycle>
  static Tick time(const Clock& clock, Cycle cycle) {
    return cycle == kNever ? Tick(kNever) : clock.time(cycle);
  }

  const MemoryParameters parameters;
  const Clocks clocks;
  const bool skip;
  const ChannelMap map;
  const unsigned cores;
  Tick now;
  Following<DramCycle> memory;
  Following<NetworkCycle> network;
  // What the parts say, and the least of it.
  SideBySide<DramCycle> channel_next;
  SideBySide<NetworkCycle> slice_next;
  DramCycle first_channel = kNever;
  NetworkCycle first_slice = kNever;
  std::vector<DramChannel> channels;
  struct Waiting {  // to be put into the network
    Request request;
    unsigned channel, bytes;
    NetworkCycle edge;
    Tick time;
  };
  struct alignas(64) Inlet {  // of a port. No two threads use one at a time
    uint64_t to_be_answered = 0, answered = 0;
    std::vector<Waiting> waiting;
  };
  std::vector<Inlet> inlets;
  struct Coming {
    NetworkCycle edge;
    unsigned port;
    const Waiting* what;
  };
  std::vector<Coming> coming;  // while follow() puts them into the network
  bool ahead = false;
  NetworkCycle worked{0};  // work_ahead() has done all cycles before
  Crossbar<Request> requests;
  Crossbar<Reply> replies;
  std::vector<Slice> slices;
  Arrivals arrivals;
  ReadCoalescer coalescer;
  uint64_t answered = 0;
};

MemorySystem::MemorySystem(const MemoryParameters& parameters, const Clocks& clocks, unsigned cores, bool skip)
    : parts_(std::make_unique<Parts>(parameters, clocks, cores, skip)) {}

MemorySystem::~MemorySystem() = default;

bool MemorySystem::room(unsigned core) const {
  const unsigned port = parts_->port_of(core);
  return parts_->requests.room(port) > parts_->inlets[port].waiting.size();
}

void MemorySystem::send(const Request& request, Tick now) {
  Parts& parts = *parts_;
  const MemoryParameters& p = parts.parameters;
  require(request.line_bytes <= (p.l2_bytes > 0 ? p.l2_line : std::min(p.channel_interleave, p.dram_row_bytes)),
          "a line of a core is larger than one of the L2");
  const ChannelMap::Location lies = parts.map.locate(request.address);
  const unsigned port = parts.port_of(request.core);
  Request inner = request;
  inner.address = lies.inner;
  if (request.kind == Request::Kind::Read) inner.answered = true;
  if (request.kind == Request::Kind::Write) inner.answered = false;
  parts.inlets[port].to_be_answered += inner.answered;
  if (parts.coalescer.joins(request)) return;
  const unsigned bytes = p.packet_header + data_sent(request, p);
  if (parts.ahead) {
    parts.inlets[port].waiting.push_back({inner, lies.channel, bytes, parts.clocks.network.at_or_after(now), now});
    return;
  }
  parts.advance(now);
  parts.requests.push(port, lies.channel, bytes, inner, parts.network.at_or_after(now));
}

void MemorySystem::hold(Address address, uint64_t bytes) {
  Parts& parts = *parts_;
  const unsigned line = parts.parameters.l2_line;
  if (parts.parameters.l2_bytes == 0) return;
  for (Address at = address - address % line; at < address + bytes; at += line) {
    const ChannelMap::Location lies = parts.map.locate(at);
    parts.slices[lies.channel].hold(lies.inner);
  }
}

inline void MemorySystem::Parts::work() {
  if (memory.edge(now)) tick_dram();
  if (!network.edge(now)) return;
  tick_slices();
  tick_replies();
}

inline void MemorySystem::Parts::arrive(std::vector<Reply>& cores) {
  arrivals.take(network.cycle(), cores);
  coalescer.add_joined(cores);
  answered += cores.size();
}

void MemorySystem::before_cores(Tick now) {
  Parts& parts = *parts_;
  replies_.clear();
  parts.advance(now);
  parts.work();
  if (parts.network.edge(now)) parts.arrive(replies_);
}

void MemorySystem::arrive(Tick now) {
  Parts& parts = *parts_;
  replies_.clear();
  parts.advance(now);
  if (parts.network.edge(now)) parts.arrive(replies_);
}

bool MemorySystem::takes_time() const {
  const MemoryParameters& p = parts_->parameters;
  return p.network_latency > 0 || p.reply_bytes() > 0;
}

Tick MemorySystem::shortest_way() const {
  return parts_->clocks.network.time(NetworkCycle(parts_->request_way() + parts_->reply_way()));
}

unsigned MemorySystem::together() const {
  return std::lcm(parts_->parameters.network_concentration, std::max(1U, parts_->parameters.read_group));
}

void MemorySystem::after_cores(Tick now) {
  Parts& parts = *parts_;
  freed_.clear();
  parts.advance(now);
  if (!parts.network.edge(now) || !parts.due(parts.requests.next(), parts.network.cycle())) return;
  parts.tick_requests(parts.network.cycle(), freed_);
}

void MemorySystem::Parts::tick_requests(NetworkCycle cycle, std::vector<uint16_t>& freed) {
  for (const auto& delivery : requests.tick(cycle)) {
    slices[delivery.output].arrive(delivery.payload, delivery.arrival);
    note(delivery.output);
  }
  const unsigned shared = parameters.network_concentration;
  for (const unsigned port : requests.freed())
    for (unsigned core = port * shared; core < std::min((port + 1) * shared, cores); ++core)
      freed.push_back(static_cast<uint16_t>(core));
}

// ---- running ahead

void MemorySystem::run_ahead(bool on) {
  parts_->ahead = on;
  parts_->requests.keep_credits(on);
  if (!on) parts_->requests.take_credits(kNever);
}

Tick MemorySystem::known(Tick now) const {
  const NetworkCycle worked = std::max(parts_->worked, parts_->clocks.network.at_or_after(now));
  return parts_->clocks.network.time(worked + parts_->reply_way());
}

Tick MemorySystem::worked() const { return parts_->now; }

void MemorySystem::take_known(Tick before, bool (*stops)(const Reply&), std::vector<Arrival>& known) {
  Parts& parts = *parts_;
  while (!parts.arrivals.empty()) {
    const NetworkCycle cycle = parts.arrivals.next();
    const Tick time = parts.clocks.network.time(cycle);
    if (time >= before || (stops && std::ranges::any_of(parts.arrivals.first(), stops))) return;
    replies_.clear();
    parts.arrivals.take(cycle, replies_);
    for (const Reply& each : replies_) known.push_back({time, each});
  }
}

void MemorySystem::add_joined(std::vector<Reply>& arrived) {
  if (arrived.empty()) return;
  parts_->coalescer.add_joined(arrived);
  parts_->inlets[parts_->port_of(arrived.front().core)].answered += arrived.size();
}

// What is granted from `now` on is looked up behind this.
void MemorySystem::work_ahead(Tick now) {
  Parts& parts = *parts_;
  const NetworkCycle end = parts.clocks.network.at_or_after(now) + std::max(1u, parts.request_way());
  if (end <= parts.worked) return;
  const Tick before = parts.clocks.network.time(end);
  for (Tick next = parts.next_work(); next < before; next = parts.next_work()) {
    parts.advance(next);
    parts.work();
  }
  parts.worked = end;
}

bool MemorySystem::certain(unsigned core, size_t requests) const {
  const unsigned port = parts_->port_of(core);
  const size_t waiting = parts_->inlets[port].waiting.size();
  if (waiting == 0 && parts_->requests.empty(port)) return true;  // no more room than that is ever
  return parts_->requests.room(port) >= waiting + requests;
}

NetworkCycle MemorySystem::Parts::next_push() const {
  NetworkCycle next = kNever;
  for (const Inlet& inlet : inlets)
    if (!inlet.waiting.empty()) next = std::min(next, inlet.waiting.front().edge);
  return next;
}

// In the order of their cycles and, within one, of their ports.
void MemorySystem::Parts::gather_waiting(Tick before) {
  coming.clear();
  for (unsigned port = 0; port < inlets.size(); ++port)
    for (const Waiting& each : inlets[port].waiting) {
      if (each.time >= before) break;
      coming.push_back({each.edge, port, &each});
    }
  std::ranges::stable_sort(coming, {}, &Coming::edge);
}

void MemorySystem::follow(Tick before) {
  Parts& parts = *parts_;
  freed_.clear();
  parts.gather_waiting(before);
  auto next = parts.coming.begin();
  const auto push_until = [&](NetworkCycle upto) {
    for (; next != parts.coming.end() && next->edge <= upto; ++next)
      parts.requests.push(next->port, next->what->channel, next->what->bytes, next->what->request, next->edge);
  };
  for (;;) {
    const NetworkCycle push = next == parts.coming.end() ? NetworkCycle(kNever) : next->edge;
    const NetworkCycle cycle = std::min({parts.requests.next(), push, parts.requests.next_credit()});
    if (cycle == kNever || parts.clocks.network.time(cycle) >= before) break;
    push_until(cycle);
    parts.requests.take_credits(cycle);
    if (parts.requests.next() <= cycle) parts.tick_requests(cycle, freed_);
  }
  push_until(kNever);
  for (Parts::Inlet& inlet : parts.inlets)
    std::erase_if(inlet.waiting, [&](const Parts::Waiting& each) { return each.time < before; });
}

Tick MemorySystem::next_arrival() const { return Parts::time(parts_->clocks.network, parts_->arrivals.next()); }

Tick MemorySystem::next_ahead() const {
  const Parts& parts = *parts_;
  NetworkCycle network = std::min({parts.requests.next(), parts.next_push(), parts.arrivals.next()});
  if (!parts.requests.empty()) network = std::min(network, parts.requests.next_credit());  // else nobody waits for it
  return std::min(parts.next_work(), Parts::time(parts.clocks.network, network));
}

void MemorySystem::Parts::advance(Tick time) {
  if (now == time) return;
  now = time;
  memory.advance(now);
  network.advance(now);
}

void MemorySystem::Parts::tick_dram() {
  if (!due(first_channel, memory.cycle())) return;
  const NetworkCycle network_edge = network.at_or_after(now);
  for (uint64_t left = due(channel_next, memory.cycle()); left != 0; left &= left - 1) {
    const auto i = static_cast<size_t>(std::countr_zero(left));
    if (channels[i].tick(memory.cycle())) slices[i].dram_moved(network_edge);
    note(i);
  }
  first_channel = channel_next.least();
}

void MemorySystem::Parts::tick_slices() {
  if (!due(first_slice, network.cycle())) return;
  for (uint64_t left = due(slice_next, network.cycle()); left != 0; left &= left - 1) {
    const auto i = static_cast<size_t>(std::countr_zero(left));
    slices[i].tick(network.cycle(), memory.cycle() + 1);
    note(i);
  }
  first_slice = slice_next.least();
}

void MemorySystem::Parts::tick_replies() {
  if (!due(replies.next(), network.cycle())) return;
  for (const auto& delivery : replies.tick(network.cycle())) {
    const bool far = parameters.l2_far_latency > 0 && is_far(delivery.payload.core, delivery.input);
    arrivals.put(delivery.payload, delivery.arrival + (far ? parameters.l2_far_latency : 0));
  }
  for (const uint16_t slice : replies.freed()) {
    slices[slice].network_moved(network.cycle());
    note(slice);
  }
}

Tick MemorySystem::next() const {
  const Parts& parts = *parts_;
  if (!parts.skip)
    return quiet() ? kNever
                   : std::min(parts.clocks.network.time(parts.clocks.network.after(parts.now)),
                              parts.clocks.memory.time(parts.clocks.memory.after(parts.now)));
  const NetworkCycle network =
      std::min({parts.first_slice, parts.requests.next(), parts.replies.next(), parts.arrivals.next()});
  const auto time = [](const auto& clock, auto cycle) { return cycle == kNever ? kNever : clock.time(cycle); };
  return std::min(time(parts.clocks.memory, parts.first_channel), time(parts.clocks.network, network));
}

bool MemorySystem::quiet() const {
  const Parts& parts = *parts_;
  const auto empty = [](const auto& part) { return part.empty(); };
  return empty(parts.requests) && empty(parts.replies) && empty(parts.arrivals) &&
         std::ranges::all_of(parts.slices, empty) && std::ranges::all_of(parts.channels, empty);
}

MemoryStats MemorySystem::stats() const {
  const Parts& parts = *parts_;
  MemoryStats stats;
  for (const Slice& slice : parts.slices) {
    stats.l2.add(slice.stats());
    stats.atomics += slice.atomics();
  }
  for (const DramChannel& channel : parts.channels) stats.dram.add(channel.stats());
  stats.network = {parts.requests.packets(), parts.replies.packets(), parts.requests.bytes(), parts.replies.bytes()};
  return stats;
}

void MemorySystem::check() const {
  const Parts& parts = *parts_;
  const MemoryParameters& p = parts.parameters;
  require(quiet(), "laws of conservation hold when nothing is under way");
  for (const Slice& slice : parts.slices) slice.check();
  const MemoryStats s = stats();
  uint64_t to_be_answered = 0, answered = parts.answered;
  for (const Parts::Inlet& inlet : parts.inlets) {
    to_be_answered += inlet.to_be_answered;
    answered += inlet.answered;
  }
  require(to_be_answered == answered, "a request was not answered, or twice");
  require(s.network.reply_packets + parts.coalescer.joined() == answered, "a reply was lost in the network");
  require(s.dram.row_hits + s.dram.row_misses + s.dram.row_conflicts == s.dram.reads + s.dram.writes,
          "rows found are not the requests of DRAM");
  require(s.dram.activates == s.dram.row_misses + s.dram.row_conflicts, "an activate served no request");
  require(s.dram.busy_cycles * p.dram_bytes_per_cycle >= s.dram.bytes, "DRAM moved more bytes than its bus can");
  if (p.l2_bytes == 0) return;
  require(s.l2.accesses() == s.network.request_packets, "a request did not reach the L2");
  require(s.dram.reads == s.l2.fills, "reads of DRAM are not the fills of the L2");
  const uint64_t passed = p.l2_pass_writes ? s.l2.unfetched : 0;
  require(s.dram.writes == s.l2.writebacks + passed, "writes of DRAM are not what the L2 wrote back or passed on");
  uint64_t asked = 0;
  for (const Slice& slice : parts.slices) asked += slice.dram_bytes();
  require(s.dram.bytes == asked, "bytes of DRAM are not those the L2 asked for");
  if (!p.l2_sectors)
    require(s.dram.bytes == (s.dram.reads + s.dram.writes) * p.l2_line, "bytes of DRAM are not its lines");
}

void MemorySystem::explain(std::string& text) const {
  const Parts& parts = *parts_;
  if (quiet()) {
    text += "memory: nothing under way\n";
    return;
  }
  text += fmt::format("network: {} requests wait, {} replies wait, {} replies on their way\n", parts.requests.queued(),
                      parts.replies.queued(), parts.arrivals.size());
  for (size_t i = 0; i < parts.slices.size(); ++i) {
    parts.slices[i].explain(text);
    if (!parts.channels[i].empty())
      text += fmt::format("channel {}: {} requests wait, {} reads finished or on the bus\n", i,
                          parts.channels[i].queued(), parts.channels[i].returns().size());
  }
}

}  // namespace heddle
