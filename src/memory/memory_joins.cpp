// Which reads join others of cores that sit together, while these are ahead of each other.
//
// Reads are settled in the order of their cycles and, within one, of their cores: then they join one that is under way,
// or go their way and may be joined. Those that are settled are older than all others, so who joins one of them need
// not wait for that: it finds it in the list, as long as it is known which of them have come by then.
#include <algorithm>

#include "memory/memory_parts.h"

namespace heddle {

void MemorySystem::part(bool on) { parts_->apart = on; }

void MemorySystem::expect_from(unsigned core) { parts_->senders.add(core); }

void MemorySystem::give_turn(unsigned core, Tick now) {
  parts_->inlets[core].in_turn = true;
  if (parts_->coalescer.groups() > 0) parts_->settle(core / parts_->parameters.read_group, now, core);
}

void MemorySystem::end_turn(unsigned core) { parts_->inlets[core].in_turn = false; }

std::vector<MemorySystem::Arrival>& MemorySystem::joined(unsigned core) { return parts_->inlets[core].heard; }

bool MemorySystem::Parts::joins(const Request& request, Tick now) {
  if (!coalescer.may_join(request)) return false;
  Inlet& inlet = inlets[request.core];
  if (ahead && by_itself(inlet)) {
    if (now < told) return joins_settled(request, now);
    inlet.unmatched = true;
    return false;
  }
  if (ahead) settle(request.core / parameters.read_group, now, inlet.in_turn ? request.core : cores);
  return join(request, coalescer.find_or_add(request, now), false);
}

bool MemorySystem::Parts::joins_settled(const Request& request, Tick now) {
  return join(request, coalescer.find(request, now), by_itself(inlets[request.core]));
}

bool MemorySystem::Parts::join(const Request& request, ReadCoalescer::Index read, bool noted) {
  if (read == ReadCoalescer::kNone) return false;
  Inlet& inlet = inlets[request.core];
  const Reply reply{request.core, request.tag};
  ++inlet.joins;
  if (const ReadCoalescer::Comes comes = coalescer.comes(request.core, read); comes.time != kNever) {
    inlet.heard.push_back({comes.time, reply, comes.rank});
    ++inlet.answered;
  } else if (noted) {
    inlet.joined.push_back({read, reply});
  } else {
    coalescer.join(read, reply);
  }
  return true;
}

// All before that time, and of it those of cores before `upto`.
void MemorySystem::Parts::settle(unsigned group, Tick time, unsigned upto) {
  const std::span<Inlet> those = group_of(group);
  for (;;) {
    Inlet* next = nullptr;
    for (Inlet& each : those)
      if (each.looked_at < each.waiting.size() && (!next || each.unsettled().time < next->unsettled().time))
        next = &each;
    if (!next) break;
    const Waiting& waiting = next->unsettled();
    if (waiting.time > time || (waiting.time == time && waiting.request.core >= upto)) break;
    settle_next(*next);
  }
  for (Inlet& each : those) each.drop_joined();
}

void MemorySystem::Parts::settle_next(Inlet& inlet) {
  const Waiting& waiting = inlet.waiting[inlet.looked_at];
  const Request& request = waiting.request;
  if (!coalescer.may_join(request) || !join(request, coalescer.find_or_add(request, waiting.time), false)) {
    if (inlet.settled != inlet.looked_at) inlet.waiting[inlet.settled] = waiting;
    ++inlet.settled;
  }
  require(inlet.heard.empty(), "a read joins one of which it is known when it comes, and its core is not told");
  ++inlet.looked_at;
}

void MemorySystem::Parts::settle_all(std::span<const unsigned> cores, Tick before) {
  if (coalescer.groups() == 0) return;
  for_each_group_of(cores, [&](unsigned group) {
    settle(group, before, 0);
    coalescer.forget(group, before);
  });
}

// What cores found while they went on side by side.
void MemorySystem::Parts::take_joined(std::span<const unsigned> cores) {
  if (coalescer.groups() == 0) return;
  for (const unsigned core : cores) {
    Inlet& inlet = inlets[core];
    for (const Joined& each : inlet.joined) coalescer.join(each.read, each.who);
    if (!inlet.joined.empty()) inlet.joined.clear();
  }
}

// What comes then: to those who asked, then to those who joined.
void MemorySystem::Parts::tell(std::span<const Reply> replies, Tick time, std::vector<Arrival>& known) {
  const size_t before = known.size();
  for (const Reply& each : replies) known.push_back({time, each});
  for (uint32_t rank = 1; coalescer.groups() > 0 && rank <= replies.size(); ++rank) {
    joined.clear();
    coalescer.expect(replies[rank - 1], {time, rank}, joined);
    for (const Reply& each : joined) known.push_back({time, each, rank});
  }
  answered += known.size() - before;
}

// Reads that are not settled yet, against those that were since they were sent.
void MemorySystem::Parts::join_those_ahead(std::vector<Arrival>& known) {
  if (next_waiting == kNever || coalescer.groups() == 0) return;
  for_each_group_of(senders.sorted(), [&](unsigned group) {
    bool all = true;  // are matched
    for (Inlet& inlet : group_of(group))
      if (inlet.unmatched || coalescer.has_grown(group)) all = join_those_ahead(inlet, known) && all;
    if (all) coalescer.note_growth(group);
  });
}

bool MemorySystem::Parts::join_those_ahead(Inlet& inlet, std::vector<Arrival>& known) {
  const auto first = inlet.waiting.begin() + static_cast<std::ptrdiff_t>(inlet.settled);
  const auto left = std::remove_if(first, inlet.waiting.end(), [&](const Waiting& each) {
    if (each.time >= told || !coalescer.may_join(each.request)) return false;
    return (inlet.unmatched || coalescer.may_have_added(each.request)) && joins_settled(each.request, each.time);
  });
  inlet.waiting.erase(left, inlet.waiting.end());
  known.insert(known.end(), inlet.heard.begin(), inlet.heard.end());
  inlet.heard.clear();
  const bool all = inlet.waiting.empty() || inlet.waiting.back().time < told;
  if (all) inlet.unmatched = false;
  return all;
}

}  // namespace heddle
