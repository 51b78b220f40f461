// A memory system whose cores are ahead of it.
#include <algorithm>

#include "memory/memory_parts.h"

namespace heddle {

void MemorySystem::run_ahead(bool on) {
  parts_->ahead = on;
  parts_->requests.keep_credits(on);
  if (!on) parts_->requests.take_credits(kNever);
}

Tick MemorySystem::known(Tick now) const {
  const NetworkCycle worked = std::max(parts_->worked, parts_->clocks.network.at_or_after(now));
  return parts_->clocks.network.time(worked + parts_->reply_way());
}

// Which places the L2 has free is known where work_ahead() has been.
Tick MemorySystem::follows(Tick now) const {
  return parts_->clocks.network.time(std::max(parts_->worked, parts_->work_end(now)));
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
  const NetworkCycle end = parts.work_end(now);
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

// In the order of their cycles and, within one, of their ports.
void MemorySystem::Parts::gather_waiting(Tick before) {
  coming.clear();
  senders.clear();
  for (unsigned port = 0; port < inlets.size(); ++port) {
    if (inlets[port].waiting.empty()) continue;
    senders.push_back(port);
    for (const Waiting& each : inlets[port].waiting) {
      if (each.time >= before) break;
      coming.push_back({each.edge, port, &each});
    }
  }
  std::ranges::stable_sort(coming, {}, &Coming::edge);
}

void MemorySystem::Parts::drop_gathered(Tick before) {
  next_waiting = kNever;
  for (const unsigned port : senders) {
    std::vector<Waiting>& waiting = inlets[port].waiting;
    std::erase_if(waiting, [&](const Waiting& each) { return each.time < before; });
    if (!waiting.empty()) next_waiting = std::min(next_waiting, waiting.front().edge);
  }
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
  parts.drop_gathered(before);
}

Tick MemorySystem::next_arrival() const { return Parts::time(parts_->clocks.network, parts_->arrivals.next()); }

Tick MemorySystem::next_ahead() const {
  const Parts& parts = *parts_;
  NetworkCycle network = std::min({parts.requests.next(), parts.next_waiting, parts.arrivals.next()});
  if (!parts.requests.empty()) network = std::min(network, parts.requests.next_credit());  // else nobody waits for it
  return std::min(parts.next_work(), Parts::time(parts.clocks.network, network));
}

}  // namespace heddle
