// A memory system whose cores are ahead of it.
#include <algorithm>
#include <utility>

#include "memory/memory_parts.h"

namespace heddle {

void MemorySystem::run_ahead(bool on, Tick now) {
  Parts& parts = *parts_;
  parts.ahead = on;
  parts.requests.keep_credits(on);
  if (!on) parts.requests.take_credits(kNever);
  for (size_t i = 0; i < parts.slices.size(); ++i) {
    parts.slices[i].send_ahead(on);
    parts.note(i);
    parts.note_answers(i);
  }
  parts.followed = parts.worked = parts.replied = parts.clocks.network.at_or_after(now);
  if (on) hand_over(now, kNever);
}

Tick MemorySystem::known() const { return parts_->clocks.network.time(parts_->replied + parts_->reply_way()); }

bool MemorySystem::follows(Tick before) const { return parts_->follows(before); }

Tick MemorySystem::worked() const { return parts_->now; }

void MemorySystem::take_known(Tick before, std::vector<Arrival>& known) {
  Parts& parts = *parts_;
  while (!parts.arrivals.empty()) {
    const NetworkCycle cycle = parts.arrivals.next();
    const Tick time = parts.clocks.network.time(cycle);
    if (time >= before) break;
    replies_.clear();
    parts.arrivals.take(cycle, replies_);
    for (const Reply& each : replies_) known.push_back({time, each});
  }
  parts.code.take(before, [&](Tick time, const Reply& reply) { known.push_back({time, reply}); });
}

void MemorySystem::add_joined(std::vector<Reply>& arrived) {
  if (arrived.empty()) return;
  parts_->coalescer.add_joined(arrived);
  parts_->inlets[arrived.front().core].answered += arrived.size();
}

bool MemorySystem::certain(unsigned core, size_t requests) const {
  const Parts::Inlet& inlet = parts_->inlets[core];
  const Parts::Certain& certain = parts_->certain[parts_->port_of(core)];
  if (parts_->shares_ports()) return certain.vouched;
  return (certain.always && inlet.waiting.empty()) || certain.free >= inlet.waiting.size() - inlet.before + requests;
}

// Of a core's own port.
size_t MemorySystem::certain_places(unsigned core) const {
  const Parts::Inlet& inlet = parts_->inlets[core];
  const size_t free = parts_->certain[parts_->port_of(core)].free, sent = inlet.waiting.size() - inlet.before;
  return free - std::min(free, sent);
}

size_t MemorySystem::certain_for_each() const {
  size_t least = parts_->parameters.network_queue;
  for (const Parts::Certain& port : parts_->certain) least = std::min(least, port.vouched ? port.free : 0);
  return least;
}

size_t MemorySystem::free_places(unsigned port) const { return parts_->certain[port].free; }

void MemorySystem::vouch(unsigned port, bool sure) { parts_->certain[port].vouched = sure; }

void MemorySystem::hand_over(Tick before, Tick bound) {
  parts_->code.serve(before);
  parts_->hand_over(before);
  parts_->find_room();
  parts_->last = bound;
  parts_->bound = bound == kNever ? NetworkCycle(kNever) : parts_->clocks.network.at_or_after(bound);
}

void MemorySystem::follow(Tick before, Tick bound, const SideWork& side_by_side) {
  hand_over(before, bound);
  freed_.clear();
  parts_->catch_up(freed_, side_by_side);
  parts_->find_room();
}

void MemorySystem::catch_up() {
  freed_.clear();
  parts_->catch_up(freed_, {});
}

void MemorySystem::work_on(unsigned channel) { parts_->work_on(channel); }

void MemorySystem::Parts::hand_over(Tick before) {
  drop_pushed();
  handed = std::max(handed, clocks.network.at_or_after(before));
  next_waiting = kNever;
  for (unsigned core = 0; core < inlets.size(); ++core) {
    std::vector<Waiting>& waiting = inlets[core].waiting;
    if (waiting.empty()) continue;
    use(port_of(core));
    size_t count = 0;
    for (; count < waiting.size() && waiting[count].time < before; ++count) {
      coming.push_back({waiting[count].time, waiting[count].edge, port_of(core), leaving.size()});
      leaving.push_back(waiting[count]);
    }
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
    if (!waiting.empty()) next_waiting = std::min(next_waiting, waiting.front().edge);
  }
  std::ranges::sort(coming, {}, [](const Coming& each) { return std::pair(each.time, each.what); });
}

void MemorySystem::Parts::use(unsigned port) {
  if (used[port]) return;
  used[port] = true;
  using_.push_back(port);
}

// What stays as it was is not written again: other threads read it.
void MemorySystem::Parts::find_room() {
  const unsigned shared = parameters.network_concentration;
  for (const unsigned port : using_) port_room[port] = requests.room(port);
  for (size_t i = pushed; i < coming.size(); ++i) --port_room[coming[i].port];
  std::erase_if(using_, [&](unsigned port) {
    size_t before = 0;
    for (unsigned core = port * shared; core < std::min((port + 1) * shared, cores); ++core) {
      Inlet& inlet = inlets[core];
      if (inlet.before != inlet.waiting.size()) inlet.before = inlet.waiting.size();
      before += inlet.before;
    }
    const size_t free = port_room[port] - std::min(port_room[port], before);
    const bool all = before == 0 && port_room[port] == parameters.network_queue;
    if (certain[port].free != free) certain[port].free = free;
    if (certain[port].always != all) certain[port].always = all;
    if (all) used[port] = false;
    return all;
  });
}

// Where all was handed over and caught up with, and its cores go together, or one after the other for one cycle.
bool MemorySystem::Parts::has_room(unsigned port) const {
  const unsigned shared = parameters.network_concentration;
  size_t sent = 0;
  for (unsigned core = port * shared; core < std::min((port + 1) * shared, cores); ++core)
    sent += inlets[core].waiting.size();
  return port_room[port] > sent;
}

void MemorySystem::Parts::drop_pushed() {
  coming.erase(coming.begin(), coming.begin() + static_cast<std::ptrdiff_t>(pushed));
  pushed = 0;
  if (coming.empty()) leaving.clear();
}

void MemorySystem::drain() {
  while (!quiet()) follow(next_ahead() + shortest_way().count() + 1, kNever);
}

// Requests granted in some cycle are looked up request_way() + 1 cycles later at the earliest, and what was looked up
// goes back answer_way() later. Which places the L2 has free is known where the slices have been, and which places for
// answers, where the network of replies has: unless there are plenty.
void MemorySystem::Parts::catch_up(std::vector<uint16_t>& freed, const SideWork& side_by_side) {
  reply_until(std::min(worked + answer_way(), bound));
  for (const NetworkCycle goal = std::min(handed, bound);;) {
    if (followed < goal && requests.never_starves(goal - followed, coming.size() - pushed)) follow(goal, freed);
    const NetworkCycle end = std::min(followed + request_way() + 1, bound);
    while (worked < end) {
      const bool plenty = std::ranges::all_of(slices, [&](const Slice& each) { return each.has_places(end - worked); });
      work_until(plenty ? end : std::min(end, worked + std::max(1U, answer_way())), side_by_side);
      reply_until(std::min(worked + answer_way(), bound));
    }
    if (followed >= goal) return;
    follow(std::min(handed, worked), freed);
  }
}

// The network of requests, until before `end`.
void MemorySystem::Parts::follow(NetworkCycle end, std::vector<uint16_t>& freed) {
  for (;;) {
    const NetworkCycle push = pushed == coming.size() ? NetworkCycle(kNever) : coming[pushed].edge;
    const NetworkCycle cycle = std::min({requests.next(), push, requests.next_credit()});
    if (cycle >= end) break;
    push_until(cycle);
    requests.take_credits(cycle);
    if (requests.next() <= cycle) tick_requests(cycle, freed);
  }
  followed = end;
  if (followed >= handed) push_until(kNever);
}

void MemorySystem::Parts::push_until(NetworkCycle cycle) {
  for (; pushed < coming.size() && coming[pushed].edge <= cycle; ++pushed) {
    const Waiting& next = leaving[coming[pushed].what];
    requests.push(coming[pushed].port, next.channel, next.bytes, next.request, next.edge);
  }
}

// Slices and their DRAM, until before `end`. They do not touch each other.
void MemorySystem::Parts::work_until(NetworkCycle end, const SideWork& side_by_side) {
  const uint64_t cycles = end - worked;
  work_end = std::min(clocks.network.time(end), last);
  worked = end;
  if (next_work() >= work_end) return;
  working.clear();
  for (unsigned i = 0; i < channels.size(); ++i)
    if (time(clocks.memory, channel_next[i]) < work_end || time(clocks.network, slice_next[i]) < work_end)
      working.push_back(i);
  if (side_by_side)
    side_by_side(working, cycles);
  else
    for (const unsigned channel : working) work_on(channel);
  Tick latest = now;
  for (const unsigned i : working) {
    latest = std::max(latest, last_work[i].time);
    note(i);
    note_answers(i);
  }
  advance(latest);
  first_channel = channel_next.least();
  first_slice = slice_next.least();
  take_places_given();
}

void MemorySystem::Parts::work_on(unsigned channel) {
  DramChannel& dram = channels[channel];
  Slice& slice = slices[channel];
  Following<DramCycle> dram_clock = memory;
  Following<NetworkCycle> slice_clock = network;
  const auto next = [&] { return std::min(time(clocks.memory, dram.next()), time(clocks.network, slice.next())); };
  for (Tick at = next(); at < work_end; at = next()) {
    dram_clock.advance(at);
    slice_clock.advance(at);
    if (dram_clock.edge(at) && dram.next() <= dram_clock.cycle() && dram.tick(dram_clock.cycle()))
      slice.dram_moved(slice_clock.at_or_after(at));
    if (slice_clock.edge(at) && slice.next() <= slice_clock.cycle())
      slice.work(slice_clock.cycle(), dram_clock.cycle() + 1);
    last_work[channel].time = at;
  }
}

// In the order in which they were. Where the network of requests has been before, nobody waited for them.
void MemorySystem::Parts::take_places_given() {
  places_given.clear();
  for (const unsigned i : working) {
    for (const NetworkCycle cycle : slices[i].places_given()) places_given.push_back({cycle, i});
    slices[i].places_given().clear();
  }
  std::ranges::sort(places_given, {}, &Place::cycle);
  for (const Place& each : places_given) requests.return_credit(each.channel, std::max(each.cycle, followed));
}

void MemorySystem::Parts::reply_until(NetworkCycle end) {
  for (NetworkCycle cycle = next_reply(); cycle < end; cycle = next_reply()) {
    send_next.for_each_due(cycle, [&](size_t i) {
      slices[i].send(cycle);
      note(i);
      note_answers(i);
    });
    first_send = send_next.least();
    tick_replies(cycle);
    replied = cycle + 1;
  }
  replied = std::max(replied, end);
}

Tick MemorySystem::next_ahead() const {
  const Parts& parts = *parts_;
  NetworkCycle network = std::min(
      {parts.requests.next(), parts.next_waiting, parts.arrivals.next(), parts.first_send, parts.replies.next()});
  if (parts.pushed < parts.coming.size()) network = std::min(network, parts.coming[parts.pushed].edge);
  if (!parts.requests.empty()) network = std::min(network, parts.requests.next_credit());  // else nobody waits for it
  return std::min({parts.next_work(), Parts::time(parts.clocks.network, network), parts.code.next()});
}

}  // namespace heddle
