#include "memory/memory_system.h"

#include <algorithm>

#include "base/error.h"
#include "memory/memory_parts.h"

namespace heddle {
namespace {

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
    case MemoryParameters::WritePacket::Sectors: {
      const unsigned sent = request.sectors == 0 ? request.line_bytes : count_of(request.sectors) * kSectorBytes;
      return sent + (request.bytes < sent ? p.write_mask : 0);
    }
    case MemoryParameters::WritePacket::Line: break;
  }
  return request.line_bytes + mask;
}

}  // namespace

MemorySystem::MemorySystem(const MemoryParameters& parameters, const Clocks& clocks, unsigned cores, bool skip)
    : parts_(std::make_unique<Parts>(parameters, clocks, cores, skip)) {}

MemorySystem::~MemorySystem() = default;

bool MemorySystem::room(unsigned core) const {
  const unsigned port = parts_->port_of(core);
  if (!parts_->ahead) return parts_->requests.room(port) > 0;
  return certain(core, 1) || parts_->has_room(port);
}

[[gnu::flatten]] void MemorySystem::send(const Request& request, Tick now) {
  Parts& parts = *parts_;
  if (request.code && parts.code.used()) {
    ++parts.inlets[request.core].to_be_answered;
    return parts.code.ask(request, now);
  }
  const MemoryParameters& p = parts.parameters;
  require(request.line_bytes <= (p.l2_bytes > 0 ? p.l2_line : std::min(p.channel_interleave, p.dram_row_bytes)),
          "a line of a core is larger than one of the L2");
  parts.inlets[request.core].to_be_answered += request.is_answered();
  if (parts.joins(request, now)) return;
  const ChannelMap::Location lies = parts.map.locate(request.address);
  const unsigned bytes = p.packet_header + data_sent(request, p);
  if (parts.ahead) {
    Parts::Waiting& waiting = parts.keep(request);
    waiting.inner = lies.inner;
    waiting.channel = lies.channel;
    waiting.bytes = bytes;
    waiting.edge = parts.clocks.network.at_or_after(now);
    waiting.time = now;
    return;
  }
  Request sent = request;
  sent.address = lies.inner;
  parts.advance(now);
  parts.requests.push(parts.port_of(request.core), lies.channel, bytes, sent, parts.network.at_or_after(now));
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

void MemorySystem::hold_code(Address address, uint64_t bytes) { parts_->code.hold(address, bytes); }

bool MemorySystem::has_code_caches() const { return parts_->code.used(); }

Tick MemorySystem::code_known(unsigned core) const { return parts_->code.known(core); }

void MemorySystem::before_cores(Tick now) {
  Parts& parts = *parts_;
  replies_.clear();
  parts.advance(now);
  parts.work();
  if (parts.network.edge(now) && parts.some_arrive(parts.network.cycle()))
    parts.arrive(parts.network.cycle(), replies_);
  parts.code.take(now + 1, [&](Tick, const Reply& reply) {
    replies_.push_back(reply);
    ++parts.answered;
  });
}

bool MemorySystem::takes_time() const {
  const MemoryParameters& p = parts_->parameters;
  return p.network_latency > 0 || p.reply_bytes() > 0;
}

Tick MemorySystem::shortest_way() const { return parts_->clocks.network.time(NetworkCycle(parts_->whole_way())); }

bool MemorySystem::has_long_network(Tick span) const {
  return parts_->clocks.network.time(NetworkCycle(parts_->request_way() + parts_->reply_way())) >= span;
}

// Else cores that share one often go cycle by cycle.
bool MemorySystem::has_wide_ports() const {
  constexpr unsigned kRequests = 16;  // for so many of each core in a cycle of the way
  const MemoryParameters& p = parts_->parameters;
  return at_port() == 1 || p.network_queue >= kRequests * at_port() * parts_->whole_way();
}

unsigned MemorySystem::channels() const { return parts_->parameters.channels; }

unsigned MemorySystem::together() const { return std::max(1U, parts_->parameters.read_group); }

unsigned MemorySystem::at_port() const { return parts_->parameters.network_concentration; }

unsigned MemorySystem::neighbours() const { return parts_->neighbours; }

void MemorySystem::after_cores(Tick now) {
  Parts& parts = *parts_;
  freed_.clear();
  parts.code.serve(now + 1);
  parts.advance(now);
  if (!parts.network.edge(now) || !parts.due(parts.requests.next(), parts.network.cycle())) return;
  parts.tick_requests(parts.network.cycle(), freed_);
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
  return std::min(
      {time(parts.clocks.memory, parts.first_channel), time(parts.clocks.network, network), parts.code.next()});
}

bool MemorySystem::quiet() const {
  const Parts& parts = *parts_;
  const auto empty = [](const auto& part) { return part.empty(); };
  return empty(parts.requests) && empty(parts.replies) && empty(parts.arrivals) && empty(parts.to_tell) &&
         empty(parts.code) && std::ranges::all_of(parts.slices, empty) && std::ranges::all_of(parts.channels, empty);
}

}  // namespace heddle
