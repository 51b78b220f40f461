// How a piece goes on: its cores, cycle by cycle, as far as they know what they need to.
#include <algorithm>

#include "gpu/run_ahead.h"

namespace heddle {

void RunAhead::run(Piece& piece) {
  forget(piece);
  go_on(piece);
  note(piece);
}

void RunAhead::go_on(Piece& piece) {
  while (!piece.stopped) {
    const CoreCycle cycle = piece.next;
    if (const Limit& limit = limit_of(piece, awaits(piece)); cycle >= limit.cycle) {
      piece.done = std::max(piece.done, limit.time);
      return;
    }
    if (cycle >= behind_now_ && !may_go_on(piece, cycle)) {
      piece.done = std::max(piece.done, clocks_.core.time(cycle));
      return;
    }
    piece.done = clocks_.core.time(cycle) + 1;
    try {
      if (piece.read < piece.inbox.size()) reply(piece, cycle);
      tick(piece, cycle);
    } catch (...) {
      piece.error = std::current_exception();
      piece.stopped = true;
      return;
    }
    piece.next = next_of(piece, cycle + 1);
    piece.needs_room = lacks_room(piece);
    if (piece.needs_room) return;
  }
}

// Not before `from`. Replies that come between two cycles are for the second.
CoreCycle RunAhead::next_of(const Piece& piece, CoreCycle from) const {
  CoreCycle next = kNever;
  for (unsigned core = piece.first; core < piece.end; ++core) next = std::min(next, due_[core].cycle);
  if (piece.read < piece.inbox.size() && next > from)
    next = std::min(next, clocks_.core.at_or_after(piece.inbox[piece.read].time));
  return std::max(next, from);
}

// Nothing can reach who has asked for nothing. Room comes with each cycle of the network.
const RunAhead::Limit& RunAhead::limit_of(const Piece& piece, bool awaits) const {
  const Limit& limit = piece.needs_room ? room_ : awaits ? known_ : until_;
  return piece.reach.cycle < limit.cycle ? piece.reach : limit;
}

bool RunAhead::awaits(const Piece& piece) const {
  for (unsigned core = piece.first; core < piece.end; ++core)
    if (sites_[core] && sites_[core]->core->unanswered() > 0) return true;
  return false;
}

// Reads of memory before the present that nobody has written to meanwhile.
void RunAhead::forget(const Piece& piece) const {
  for (unsigned core = piece.first; core < piece.end; ++core)
    if (sites_[core]) sites_[core]->engine->context().log->forget(clocks_.core.at_or_after(now_).count());
}

void RunAhead::note(Piece& piece) const {
  piece.awaits = awaits(piece);
  piece.writes = piece.ended = false;
  piece.requests = 0;
  for (unsigned core = piece.first; core < piece.end; ++core)
    if (const Site* const site = sites_[core]) {
      piece.ended = piece.ended || !site->ended.empty();
      piece.writes = piece.writes || site->engine->context().log->waits();
      piece.requests = std::max(piece.requests, static_cast<uint32_t>(site->core->most_requests()));
    }
  if (!ports_.empty()) note_sending(piece);
}

void RunAhead::note_sending(Piece& piece) const {
  piece.sending = {};
  for (unsigned core = piece.first; core < piece.end; ++core)
    if (sites_[core]) {
      const Core::Sending sending = sites_[core]->core->most_sent();
      piece.sending.once += sending.once;
      piece.sending.each += sending.each;
    }
}

// At what others may still change? Answers to other than its own requests may come at any time.
inline bool RunAhead::looks_ahead(const Site& site, CoreCycle cycle, bool hears) const {
  const uint64_t oldest = site.engine->context().log->oldest_result();
  if (oldest == GlobalLog::kNoResult || CoreCycle(oldest) + site.launch->hidden_cycles() > cycle) return false;
  if (hears && site.core->looks_at_once() && together_ > 1) return true;
  return site.core->looks_at(CoreCycle(oldest), cycle);
}

// Each reply may push a dirty line out.
inline bool RunAhead::has_room(const Site& site, size_t replies) const {
  return system_.certain(site.number, site.core->most_requests() + replies);
}

// Is all that its cores ask for in this cycle known by now?
bool RunAhead::may_go_on(const Piece& piece, CoreCycle cycle) const {
  const size_t hears = replies_until(piece, clocks_.core.time(cycle));
  for (unsigned core = piece.first; core < piece.end; ++core) {
    const Site* const site = sites_[core];
    if (!site || (due_[core].cycle > cycle && hears == 0)) continue;
    if (site->core->running().empty() && site->coming.empty()) return false;  // the launch may end with it
    if (looks_ahead(*site, cycle, hears > 0) || !has_room(*site, hears)) return false;
  }
  return true;
}

bool RunAhead::certain(const Piece& piece, CoreCycle cycle) const {
  const size_t hears = replies_until(piece, clocks_.core.time(cycle));
  for (unsigned core = piece.first; core < piece.end; ++core)
    if (sites_[core] && (due_[core].cycle <= cycle || hears > 0) && !has_room(*sites_[core], hears)) return false;
  return true;
}

bool RunAhead::certain(Tick now) {
  find_reach(now, clocks_.core.after(now));
  const size_t plenty = system_.certain_for_each();
  const CoreCycle behind = clocks_.core.after(now);
  return std::ranges::all_of(pieces_, [&](const Piece& piece) {
    return piece.stopped || piece.next >= behind || piece.requests + (piece.inbox.size() - piece.read) <= plenty ||
           certain(piece, piece.next);
  });
}

size_t RunAhead::replies_until(const Piece& piece, Tick time) const {
  size_t end = piece.read;
  while (end < piece.inbox.size() && piece.inbox[end].time <= time) ++end;
  return end - piece.read;
}

void RunAhead::reply(Piece& piece, CoreCycle cycle) {
  for (const Tick now = clocks_.core.time(cycle); piece.inbox[piece.read].time <= now;) {
    const Tick time = piece.inbox[piece.read].time;
    piece.arrived.clear();
    for (; piece.read < piece.inbox.size() && piece.inbox[piece.read].time == time; ++piece.read)
      piece.arrived.push_back(piece.inbox[piece.read].reply);
    system_.add_joined(piece.arrived);
    for (const Reply& each : piece.arrived) {
      sites_[each.core]->core->reply(each.tag, cycle);
      ask(each.core);
    }
    if (piece.read < piece.inbox.size()) continue;
    piece.inbox.clear();
    piece.read = 0;
    return;
  }
}

void RunAhead::tick(Piece& piece, CoreCycle cycle) {
  for (unsigned core = piece.first; core < piece.end; ++core) {
    if (due_[core].cycle > cycle) continue;
    Site& site = *sites_[core];
    due_[core].cycle = kNever;
    piece.failed = core;
    CycleLaunch::tick(site, cycle);
    if (!site.core->left().empty()) CycleLaunch::note_ended(site, cycle);
    ask(core);
    piece.stopped = piece.stopped || site.launch->concerned(site, cycle);
  }
}

bool RunAhead::lacks_room(const Piece& piece) const {
  for (unsigned core = piece.first; core < piece.end; ++core)
    if (const Site* const site = sites_[core]; site && site->core->wants_room())
      if (!system_.certain(core, site->core->most_requests())) return true;
  return false;
}

}  // namespace heddle
