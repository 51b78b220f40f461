// How a piece goes on: its cores, cycle by cycle, as far as they know what they need to.
#include <algorithm>

#include "gpu/run_ahead.h"

namespace heddle {

// Not before `from`. Replies that come between two cycles are for the second.
inline CoreCycle RunAhead::next_of(const Piece& piece, CoreCycle from) const {
  CoreCycle next = kNever;
  for (const Seat& seat : piece.seats) next = std::min(next, seat.due);
  return std::max(std::min(next, piece.hears), from);
}

void RunAhead::find_next(Piece& piece) { piece.next = next_of(piece, clocks_.core.at_or_after(piece.done)); }

inline bool RunAhead::awaits(const Piece& piece) const {
  for (const Seat& seat : piece.seats)
    if (seat.site && seat.core->unanswered() > 0) return true;
  return false;
}

// What it has asked for since all were together is to be looked up first.
RunAhead::Limit RunAhead::limit_by_code(const Piece& piece, const Limit& limit) const {
  Tick known = limit.time;
  for (const Seat& seat : piece.seats)
    if (seat.site) known = std::min(known, system_.code_known(seat.site->number));
  return known < limit.time ? limit_at(known) : limit;
}

void RunAhead::note(Piece& piece) const {
  note_writes(piece);
  piece.awaits = piece.ended = false;
  piece.requests = 0;
  for (const Seat& seat : piece.seats) {
    if (!seat.site) continue;
    piece.awaits = piece.awaits || seat.core->unanswered() > 0;
    piece.ended = piece.ended || !seat.site->ended.empty();
    piece.requests = std::max(piece.requests, static_cast<uint32_t>(seat.core->most_requests()));
  }
}

void RunAhead::note_writes(Piece& piece) const {
  piece.writes = std::ranges::any_of(piece.seats, [](const Seat& seat) { return seat.site && seat.log->waits(); });
}

// At what others may still change? Answers to other than its own requests may come at any time.
inline bool RunAhead::looks_ahead(const Seat& seat, CoreCycle cycle, bool hears) const {
  const uint64_t oldest = seat.log->oldest_result();
  if (oldest == GlobalLog::kNoResult || CoreCycle(oldest) + seat.site->launch->hidden_cycles() > cycle) return false;
  if (hears && seat.core->looks_at_once() && together_ > 1) return true;
  return seat.core->looks_at(CoreCycle(oldest), cycle);
}

// Each reply may push a dirty line out.
bool RunAhead::has_room(const Seat& seat, size_t replies) const {
  return system_.certain(seat.site->number, seat.core->most_requests() + replies);
}

// For this cycle and some more, of which it need not be asked again.
bool RunAhead::will_have_room(Seat& seat, CoreCycle cycle) const {
  const Core::Sending sending = seat.core->most_sent();
  const size_t free = system_.certain_places(seat.site->number);
  if (free < sending.once) return false;
  seat.sure = cycle + (free - sending.once) * Core::kSpan / sending.each;
  return seat.sure > cycle;
}

// Is all that its cores ask for in this cycle known by now?
inline bool RunAhead::may_go_on(const Piece& piece, CoreCycle cycle) {
  const size_t hears = replies_until(piece, cycle);
  for (Seat& seat : piece.seats) {
    if (!seat.site || (seat.due > cycle && hears == 0)) continue;
    if (seat.core->running().empty() && seat.site->coming.empty()) return false;  // the launch may end with it
    if (looks_ahead(seat, cycle, hears > 0)) return false;
    if (cycle >= seat.sure && !will_have_room(seat, cycle) && !has_room(seat, hears)) return false;
  }
  return true;
}

bool RunAhead::certain(const Piece& piece, CoreCycle cycle) const {
  const size_t hears = replies_until(piece, cycle);
  for (const Seat& seat : piece.seats)
    if (seat.site && (seat.due <= cycle || hears > 0) && !has_room(seat, hears)) return false;
  return true;
}

bool RunAhead::certain(Tick now) {
  const CoreCycle behind = clocks_.core.after(now);
  find_reach(now, behind);
  const size_t plenty = system_.certain_for_each();
  return std::ranges::all_of(pieces_, [&](const Piece& piece) {
    return piece.stopped || piece.next >= behind || piece.requests + (piece.inbox.size() - piece.read) <= plenty ||
           certain(piece, piece.next);
  });
}

inline size_t RunAhead::replies_until(const Piece& piece, CoreCycle cycle) const {
  if (piece.hears > cycle) return 0;
  size_t end = piece.read;
  const Tick time = clocks_.core.time(cycle);
  while (end < piece.inbox.size() && piece.inbox[end].time <= time) ++end;
  return end - piece.read;
}

void RunAhead::reply(Piece& piece, CoreCycle cycle) {
  const Tick now = clocks_.core.time(cycle);
  while (piece.read < piece.inbox.size() && piece.inbox[piece.read].time <= now) {
    const Tick time = piece.inbox[piece.read].time;
    piece.arrived.clear();
    for (; piece.read < piece.inbox.size() && piece.inbox[piece.read].time == time; ++piece.read)
      piece.arrived.push_back(piece.inbox[piece.read].reply);
    system_.add_joined(piece.arrived);
    for (const Reply& each : piece.arrived) {
      seats_[each.core].core->reply(each.tag, cycle);
      ask(seats_[each.core]);
    }
  }
  if (piece.read < piece.inbox.size()) {
    piece.hears = clocks_.core.at_or_after(piece.inbox[piece.read].time);
    return;
  }
  piece.hears = kNever;
  piece.inbox.clear();
  piece.read = 0;
}

inline void RunAhead::tick(Piece& piece, CoreCycle cycle) {
  for (Seat& seat : piece.seats) {
    if (seat.due > cycle) continue;
    Site& site = *seat.site;
    seat.due = kNever;
    piece.failed = site.number;
    CycleLaunch::tick(site, cycle);
    if (!seat.core->left().empty()) CycleLaunch::note_ended(site, cycle);
    ask(seat);
    piece.stopped = piece.stopped || site.launch->concerned(site, cycle);
    piece.needs_room = piece.needs_room || seat.core->wants_room();
  }
}

bool RunAhead::lacks_room(const Piece& piece) const {
  for (const Seat& seat : piece.seats)
    if (seat.site && seat.core->wants_room() && !has_room(seat, 0)) return true;
  return false;
}

void RunAhead::run(Piece& piece) {
  for (const Seat& seat : piece.seats)  // reads before the present that nobody has written to meanwhile
    if (seat.site) seat.log->forget(present_.count());
  go_on(piece);
  for (const Seat& seat : piece.seats)
    if (seat.site) seat.log->seal();
  note(piece);
}

void RunAhead::go_on(Piece& piece) {
  while (!piece.stopped) {
    const CoreCycle cycle = piece.next;
    if (const Limit limit = limit_of(piece, awaits(piece)); cycle >= limit.cycle) {
      piece.done = std::max(piece.done, limit.time);
      return;
    }
    if (cycle >= behind_now_ && !may_go_on(piece, cycle)) {
      piece.done = std::max(piece.done, clocks_.core.time(cycle));
      return;
    }
    piece.done = clocks_.core.time(cycle) + 1;
    try {
      if (piece.hears <= cycle) reply(piece, cycle);
      tick(piece, cycle);
    } catch (...) {
      piece.error = std::current_exception();
      piece.stopped = true;
      return;
    }
    piece.next = next_of(piece, cycle + 1);
    piece.needs_room = piece.needs_room && lacks_room(piece);
    if (piece.needs_room) return;
  }
}

}  // namespace heddle
