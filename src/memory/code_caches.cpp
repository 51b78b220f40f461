#include "memory/code_caches.h"

#include <algorithm>

namespace heddle {

CodeCaches::CodeCaches(const MemoryParameters& p, const Clock<CoreCycle>& clock, unsigned cores)
    : parameters_(p), clock_(clock) {
  const unsigned groups = std::min(p.code_groups, cores);
  if (groups == 0) return;
  mailboxes_.resize(cores);
  groups_.assign(groups, Group(p));
  for (unsigned core = 0; core < cores; ++core) {
    group_of_.push_back(core * groups / cores);
    Group& group = groups_[group_of_.back()];
    if (group.cores++ == 0) group.first = core;
  }
}

void CodeCaches::hold(Address begin, uint64_t bytes) {
  const uint64_t first = begin / parameters_.code_line;
  const uint64_t end = (begin + std::min<uint64_t>(bytes, parameters_.code_launch_bytes)) / parameters_.code_line;
  for (Group& group : groups_)
    for (uint64_t line = first; line < end; ++line) {
      const Cache::Found found = group.cache.look_up(line);
      const Cache::Way way = found.miss() ? group.cache.reserve(line, 0).way : found.way;
      group.cache.mark_valid(way, 1);
      group.there[way] = CoreCycle{0};
    }
}

void CodeCaches::ask(const Request& request, Tick now) {
  mailboxes_[request.core].asked.push_back(
      {clock_.at_or_after(now), request.address / parameters_.code_line, request.core, request.tag});
}

Tick CodeCaches::known(unsigned core) const {
  CoreCycle first = kNever;
  for (const Asked& each : mailboxes_[core].asked) first = std::min(first, each.cycle);
  return first == kNever ? Tick(kNever) : clock_.time(first + parameters_.code_latency);
}

void CodeCaches::serve(Tick before) {
  if (!used()) return;
  const CoreCycle end = clock_.at_or_after(before);
  due_.clear();
  first_asked_ = kNever;
  for (Mailbox& mailbox : mailboxes_)
    std::erase_if(mailbox.asked, [&](const Asked& each) {
      if (each.cycle < end) {
        due_.push_back(each);
        return true;
      }
      first_asked_ = std::min(first_asked_, each.cycle);
      return false;
    });
  std::ranges::stable_sort(due_, {}, &Asked::cycle);
  for (const Asked& each : due_) answer(each);
}

void CodeCaches::answer(const Asked& asked) {
  Group& group = groups_[group_of_[asked.core]];
  const CoreCycle looked = look_up(group, asked);
  const unsigned seat = asked.core - group.first;
  const unsigned farther = group.cores > 1 ? parameters_.code_far_latency * seat / (group.cores - 1) : 0;
  const CoreCycle comes = there(group, asked.line, looked) + parameters_.code_latency + farther;
  coming_.push({clock_.time(comes), orders_++, {.core = asked.core, .tag = asked.tag, .code = true}});
}

// When it is.
CoreCycle CodeCaches::look_up(Group& group, const Asked& asked) const {
  if (parameters_.code_clock == 0) return asked.cycle;
  while (!group.waiting.empty() && group.waiting.front().looked < asked.cycle) group.waiting.pop_front();
  const unsigned seat = (asked.core - group.first) / parameters_.code_joins;
  for (const Waiting& each : group.waiting)
    if (each.line == asked.line && each.seat == seat) return each.looked;
  const uint64_t clock = parameters_.code_clock;
  group.free = std::max(group.free, asked.cycle.count() * clock);
  const CoreCycle looked((group.free + clock - 1) / clock);
  group.free += parameters_.core_clock;
  group.waiting.push_back({looked, asked.line, seat});
  return looked;
}

// When the cache has the line, if not before it was looked up.
CoreCycle CodeCaches::there(Group& group, uint64_t line, CoreCycle looked) const {
  const Cache::Found found = group.cache.look_up(line);
  if (!found.miss()) {
    group.cache.use(found.way);
    return std::max(looked, group.there[found.way]);
  }
  const Cache::Way way = group.cache.reserve(line, 0).way;
  group.cache.mark_valid(way, 1);
  group.there[way] = looked + (parameters_.code_miss_latency - parameters_.code_latency);
  return group.there[way];
}

Tick CodeCaches::next() const {
  const Tick asked = first_asked_ == kNever ? Tick(kNever) : clock_.time(first_asked_);
  return coming_.empty() ? asked : std::min(asked, coming_.top().time);
}

}  // namespace heddle
