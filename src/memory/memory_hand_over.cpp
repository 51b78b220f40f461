// What cores have sent while they were ahead of the memory system goes into the network: by units of cores that share
// no port, and no answers, with others, so that several threads may each take some.
#include <algorithm>
#include <utility>

#include "memory/memory_parts.h"

namespace heddle {

void MemorySystem::hand_over(Tick before, Tick bound, const SideWork& side_by_side) {
  parts_->hand_over(before, bound, side_by_side);
  parts_->find_room();
}

void MemorySystem::Parts::hand_over(Tick before, Tick until, const SideWork& side_by_side) {
  code.serve(before);
  last = until;
  bound = until == kNever ? NetworkCycle(kNever) : clocks.network.at_or_after(until);
  handing = before;
  const NetworkCycle upto = std::max(handed, clocks.network.at_or_after(before));
  senders.sort();
  sending.clear();
  for (const unsigned core : senders)
    if (const unsigned unit = core / unit_cores; sending.empty() || sending.back() != unit) sending.push_back(unit);
  if (side_by_side && sending.size() >= kFewUnits) {
    side_by_side(Work::HandOver, sending, upto - handed);
  } else {
    for (const unsigned unit : sending) hand_over_from(unit);
  }
  handed = upto;
  next_waiting = kNever;
  for (const unsigned number : sending) {
    Unit& unit = units[number];
    for (const unsigned port : unit.ports) {
      requests.note_placed(port);
      used_ports.add(port);
    }
    next_waiting = std::min(next_waiting, unit.next_waiting);
  }
  senders.erase_if([&](unsigned core) {
    const std::vector<unsigned>& left = units[core / unit_cores].left;
    return !std::binary_search(left.begin(), left.end(), core);
  });
}

// Of cores that share ports or get the answers to each other's reads, and of no others.
void MemorySystem::Parts::hand_over_from(unsigned number) {
  Unit& unit = units[number];
  unit.senders.clear();
  const auto first = std::lower_bound(senders.begin(), senders.end(), number * unit_cores);
  for (auto core = first; core != senders.end() && *core / unit_cores == number; ++core) unit.senders.push_back(*core);
  fetch_sent(unit.senders);
  take_joined(unit.senders);
  settle_all(unit.senders, handing);
  unit.ports.clear();
  for (const unsigned core : unit.senders)
    if (const unsigned port = port_of(core); unit.ports.empty() || unit.ports.back() != port)
      if (put_into_network(unit, port)) unit.ports.push_back(port);
  unit.left.clear();
  unit.next_waiting = kNever;
  for (const unsigned core : unit.senders) {
    Inlet& inlet = inlets[core];
    std::vector<Waiting>& waiting = inlet.waiting;
    const size_t count = std::exchange(inlet.handed, 0);
    inlet.settled = inlet.looked_at -= std::min(inlet.looked_at, count);
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
    if (waiting.empty()) continue;
    unit.left.push_back(core);
    unit.next_waiting = std::min(unit.next_waiting, waiting.front().edge);
  }
}

// Other threads wrote it: all its lines are asked for at once, and not each when it is needed.
void MemorySystem::Parts::fetch_sent(std::span<const unsigned> cores) const {
  for (const unsigned core : cores) __builtin_prefetch(&inlets[core]);
  for (const unsigned core : cores) {
    const std::vector<Waiting>& waiting = inlets[core].waiting;
    const auto* const begin = reinterpret_cast<const char*>(waiting.data());
    for (size_t at = 0; at < waiting.size() * sizeof(Waiting); at += 64) __builtin_prefetch(begin + at);
  }
}

// In the order of their times and, of one time, of the cores. True if something was sent there.
bool MemorySystem::Parts::put_into_network(Unit& unit, unsigned port) {
  const unsigned shared = parameters.network_concentration;
  std::vector<std::span<Waiting>>& runs = unit.runs;
  runs.clear();
  bool used = false;
  for (unsigned core = port * shared; core < std::min((port + 1) * shared, cores); ++core) {
    Inlet& inlet = inlets[core];
    used = used || inlet.sent > 0 || !inlet.waiting.empty();
    while (inlet.handed < inlet.waiting.size() && inlet.waiting[inlet.handed].time < handing) ++inlet.handed;
    if (inlet.handed > 0) runs.push_back(std::span(inlet.waiting).first(inlet.handed));
  }
  while (!runs.empty()) {
    auto first = runs.begin();
    for (auto each = first + 1; each != runs.end(); ++each)
      if (each->front().time < first->front().time) first = each;
    Waiting& waiting = first->front();
    waiting.request.address = waiting.inner;
    requests.place(port, waiting.channel, waiting.bytes, waiting.request, waiting.edge);
    *first = first->subspan(1);
    if (first->empty()) runs.erase(first);
  }
  return used;
}

}  // namespace heddle
