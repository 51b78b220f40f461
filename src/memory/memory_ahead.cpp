// A memory system whose cores are ahead of it.
#include <algorithm>
#include <utility>

#include "memory/memory_parts.h"

namespace heddle {

void MemorySystem::run_ahead(bool on, Tick now) {
  Parts& parts = *parts_;
  parts.take_back_told();
  parts.ahead = on;
  parts.requests.keep_credits(on);
  if (!on) parts.requests.take_credits(kNever);
  if (!on) parts.coalescer.forget(kNever);
  for (size_t i = 0; i < parts.slices.size(); ++i) {
    parts.slices[i].send_ahead(on);
    parts.note(i);
    parts.note_answers(i);
  }
  parts.followed = parts.worked = parts.replied = parts.handed = parts.clocks.network.at_or_after(now);
  if (on) hand_over(now, kNever);
}

// Of a launch that was given up: they arrive as others do.
void MemorySystem::Parts::take_back_told() {
  for (const Arrival& each : to_tell) arrivals.put(each.reply, clocks.network.at_or_after(each.time));
  answered -= to_tell.size();
  to_tell.clear();
  first_to_tell = kNever;
}

Tick MemorySystem::known() const { return parts_->clocks.network.time(parts_->replied + parts_->reply_way()); }

bool MemorySystem::follows(Tick before) const { return parts_->follows(before); }

Tick MemorySystem::worked() const { return parts_->now; }

void MemorySystem::take_known(Tick before, std::vector<Arrival>& known) {
  Parts& parts = *parts_;
  parts.told = before;
  known.swap(parts.to_tell);
  parts.first_to_tell = kNever;
  const NetworkCycle end = parts.clocks.network.at_or_after(before);
  for (NetworkCycle cycle = parts.arrivals.next(); cycle < end; cycle = parts.arrivals.next())
    parts.arrivals.take(cycle,
                        [&](std::span<const Reply> now) { parts.tell(now, parts.clocks.network.time(cycle), known); });
  parts.join_those_ahead(known);
  parts.code.take(before, [&](Tick time, const Reply& reply) {
    known.push_back({time, reply});
    ++parts.answered;
  });
}

void MemorySystem::follow(Tick before, Tick bound, const SideWork& side_by_side) {
  parts_->hand_over(before, bound, side_by_side);
  freed_.clear();
  parts_->catch_up(freed_, side_by_side);
  parts_->find_room();
}

bool MemorySystem::follow_requests(Tick before, Tick bound) {
  parts_->hand_over(before, bound, {});
  freed_.clear();
  parts_->rests = parts_->follow_requests(freed_);
  parts_->find_room();
  return parts_->rests;
}

bool MemorySystem::rests() const { return parts_->rests; }

void MemorySystem::catch_up() {
  freed_.clear();
  parts_->catch_up(freed_, {});
}

unsigned MemorySystem::units() const { return static_cast<unsigned>(parts_->units.size()); }

void MemorySystem::do_part(Work what, unsigned number) {
  if (what == Work::HandOver) return parts_->hand_over_from(number);
  parts_->slices[number].look_ahead();
  parts_->work_on(number);
}

void MemorySystem::drain(Tick before) {
  while (!quiet() && next_ahead() < before) follow(std::min(before, next_ahead() + shortest_way().count() + 1), before);
}

// Requests granted in some cycle are looked up request_way() + 1 cycles later at the earliest, and what was looked up
// goes back answer_way() later. Which places the L2 has free is known where the slices have been, and which places for
// answers, where the network of replies has: unless there are plenty.
void MemorySystem::Parts::catch_up(std::vector<uint16_t>& freed, const SideWork& side_by_side) {
  rests = false;
  reply_until(std::min(worked + answer_way(), bound));
  for (const NetworkCycle goal = std::min(handed, bound);;) {
    if (followed < goal && requests.never_starves(goal - followed)) follow(goal, freed);
    const NetworkCycle end = std::min(followed + request_way() + 1, bound);
    while (worked < end) {
      for (Slice& each : slices) each.note_sent(worked);
      const bool plenty = std::ranges::all_of(slices, [&](const Slice& each) { return each.has_places(end - worked); });
      work_until(plenty ? end : std::min(end, worked + std::max(1U, answer_way())), side_by_side);
      reply_until(std::min(worked + answer_way(), bound));
    }
    if (followed >= goal) return;
    follow(std::min(handed, worked), freed);
  }
}

// Which places the L2 has free is known as far as the slices have been.
bool MemorySystem::Parts::follow_requests(std::vector<uint16_t>& freed) {
  const NetworkCycle goal = std::min(handed, bound);
  if (goal > worked) return false;
  follow(goal, freed);
  return true;
}

// The network of requests, until before `end`.
void MemorySystem::Parts::follow(NetworkCycle end, std::vector<uint16_t>& freed) {
  for (;;) {
    const NetworkCycle cycle = std::min(requests.next(), requests.next_credit());
    if (cycle >= end) break;
    requests.take_credits(cycle);
    if (requests.next() <= cycle) tick_requests(cycle, freed);
  }
  followed = std::max(followed, end);
}

// Slices and their DRAM, until before `end`. They do not touch each other.
void MemorySystem::Parts::work_until(NetworkCycle end, const SideWork& side_by_side) {
  const uint64_t cycles = end - worked;
  work_begin = worked;
  work_end = std::min(clocks.network.time(end), last);
  worked = end;
  if (next_work() >= work_end) return;
  working.clear();
  for (unsigned i = 0; i < channels.size(); ++i)
    if (time(clocks.memory, channel_next[i]) < work_end || time(clocks.network, slice_next[i]) < work_end)
      working.push_back(i);
  if (side_by_side) {
    side_by_side(Work::Channels, working, cycles);
  } else {
    for (const unsigned channel : working) slices[channel].look_ahead();
    for (const unsigned channel : working) work_on(channel);
  }
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

// In a cycle that both have DRAM goes first. A slice that is woken for a place of an answer may have done that cycle.
void MemorySystem::Parts::work_on(unsigned channel) {
  DramChannel& dram = channels[channel];
  Slice& slice = slices[channel];
  Following<DramCycle> dram_clock = memory;
  Following<NetworkCycle> slice_clock = network;
  Tick& last_time = last_work[channel].time;
  for (const Tick end = work_end;;) {
    const NetworkCycle cycle = std::max(slice.next(), work_begin);
    const Tick dram_at = time(clocks.memory, dram.next()), slice_at = time(clocks.network, cycle);
    const bool of_dram = dram_at <= slice_at;
    const Tick at = of_dram ? dram_at : slice_at;
    if (at >= end) return;
    last_time = at;
    if (!of_dram) {
      dram_clock.advance(at);
      slice.work(cycle, dram_clock.cycle() + 1);
    } else if (dram.tick(dram.next())) {
      slice_clock.advance(at);
      slice.dram_moved(slice_clock.at_or_after(at));
    }
  }
}

// In the order in which they were. Where the network of requests has been before, nobody waited for them.
void MemorySystem::Parts::take_places_given() {
  places_given.clear();
  for (const unsigned i : working) {
    for (const NetworkCycle cycle : slices[i].places_given())
      if (const NetworkCycle edge = std::max(cycle, followed); !requests.return_early(i, edge, followed))
        places_given.push_back({edge, i});
    slices[i].places_given().clear();
  }
  if (places_given.empty()) return;
  std::ranges::sort(places_given, {}, &Place::cycle);
  for (const Place& each : places_given) requests.return_credit(each.channel, each.cycle);
}

inline void MemorySystem::Parts::send_answers(NetworkCycle cycle) {
  send_next.for_each_due(cycle, [&](size_t i) {
    Slice& slice = slices[i];
    const bool lacks_places = slice.lacks_places();
    send_next.set(i, slice.send(cycle));
    if (lacks_places) note_slice(i);
  });
  first_send = send_next.least();
}

void MemorySystem::Parts::reply_until(NetworkCycle end) {
  for (NetworkCycle cycle = next_reply(); cycle < end; cycle = next_reply()) {
    if (first_send <= cycle) send_answers(cycle);
    if (due(replies.next(), cycle)) tick_replies(cycle);
    replied = cycle + 1;
  }
  replied = std::max(replied, end);
}

Tick MemorySystem::next_ahead() const {
  const Parts& parts = *parts_;
  NetworkCycle network = std::min(
      {parts.requests.next(), parts.next_waiting, parts.arrivals.next(), parts.first_send, parts.replies.next()});
  if (!parts.requests.empty()) network = std::min(network, parts.requests.next_credit());  // else nobody waits for it
  return std::min(
      {parts.next_work(), Parts::time(parts.clocks.network, network), parts.first_to_tell, parts.code.next()});
}

}  // namespace heddle
