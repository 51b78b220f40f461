// How a piece goes on: its cores, cycle by cycle, as far as they know what they need to.
#include <algorithm>

#include "gpu/run_ahead.h"

namespace heddle {

void RunAhead::find_next(Piece& piece) { piece.next = next_of(piece, clocks_.core.at_or_after(piece.done)); }

// What it has asked for since all were together is to be looked up first.
RunAhead::Limit RunAhead::limit_by_code(const Piece& piece, const Limit& limit) const {
  const Tick known = system_.code_known(piece.site->number);
  return known < limit.time ? limit_at(known) : limit;
}

void RunAhead::note(Piece& piece) const {
  note_writes(piece);
  piece.awaits = piece.site && piece.core->unanswered() > 0;
  piece.ended = piece.site && !piece.site->ended.empty();
  if (!side_by_side_) return;
  const size_t replies = piece.replies_send ? piece.inbox.size() - piece.read : 0;
  piece.asks = piece.site ? static_cast<uint32_t>(piece.core->most_requests() + replies) : 0;
}

// That others may still change, and that is not hidden from who looks any more; kNever: there is none.
inline CoreCycle RunAhead::first_result(const Piece& piece) {
  const uint64_t oldest = piece.log->oldest_result();
  return oldest == GlobalLog::kNoResult ? kNever : CoreCycle(oldest) + piece.site->launch->hidden_cycles();
}

// At what others may still change? Answers to other than its own requests may come at any time.
inline bool RunAhead::looks_ahead(const Piece& piece, CoreCycle cycle, bool hears) const {
  if (first_result(piece) > cycle) return false;
  if (hears && piece.core->looks_at_once() && together_ > 1) return true;
  return piece.core->looks_at(CoreCycle(piece.log->oldest_result()), cycle);
}

bool RunAhead::has_room(const Piece& piece, size_t more) const {
  return system_.certain(piece.site->number, piece.core->most_requests() + more);
}

// For this cycle and some more, of which it need not be asked again.
bool RunAhead::will_have_room(Piece& piece, CoreCycle cycle) const {
  const Core::Sending sending = piece.core->most_sent();
  const size_t free = system_.certain_places(piece.site->number);
  if (free < sending.once) return false;
  piece.sure = cycle + (free - sending.once) * Core::kSpan / sending.each;
  return piece.sure > cycle;
}

// Is all that its core asks for in this cycle known by now?
inline bool RunAhead::may_go_on(Piece& piece, CoreCycle cycle) const {
  if (piece.core->idle() && piece.site->coming.empty()) return false;  // the launch may end before
  if (looks_ahead(piece, cycle, piece.hears <= cycle)) return false;
  return cycle < piece.sure || will_have_room(piece, cycle) || has_room(piece, sent_by_replies(piece, cycle));
}

bool RunAhead::certain(Tick now) {
  const CoreCycle behind = clocks_.core.after(now);
  find_reach(now, behind);
  const size_t plenty = system_.certain_for_each();
  if (all_.asks <= plenty) return true;
  return std::ranges::all_of(pieces_, [&](const Piece& piece) { return certain(piece, behind, plenty); });
}

inline size_t RunAhead::sent_by_replies(const Piece& piece, CoreCycle cycle) const {
  if (!piece.replies_send || piece.hears > cycle) return 0;
  size_t end = piece.read;
  const Tick time = clocks_.core.time(cycle);
  while (end < piece.inbox.size() && piece.inbox[end].time <= time) ++end;
  return end - piece.read;
}

void RunAhead::reply(Piece& piece, CoreCycle cycle, Tick before) {
  for (; piece.read < piece.inbox.size() && piece.inbox[piece.read].time < before; ++piece.read)
    piece.core->reply(piece.inbox[piece.read].reply.tag, cycle);
  ask_core(piece);
  if (piece.read < piece.inbox.size()) {
    piece.hears = clocks_.core.at_or_after(piece.inbox[piece.read].time);
    return;
  }
  piece.hears = kNever;
  piece.inbox.clear();
  piece.read = 0;
}

// Ticks from `cycle` on, and on to `end` while only the core's own time goes on: nothing comes, nobody is to hear of
// anything, and what it waits for has not changed. True: its launch has nothing to hear of either.
inline bool RunAhead::go_straight(const Piece& piece, CoreCycle& cycle, CoreCycle end) const {
  Core& core = *piece.core;
  const Site& site = *piece.site;
  const uint64_t asked = core.unanswered();
  const auto knows_as_before = [&] {
    if (core.unanswered() != asked && (asked == 0 || shares_code_)) return false;
    return !piece.joined || piece.joined->empty();
  };
  for (CoreCycle until = std::min(end, first_result(piece));;) {
    cycle = core.run(cycle, until);
    if (!core.goes_on() || !site.strays.empty()) return false;
    until = std::min(end, first_result(piece));
    const CoreCycle next = std::max(core.next(), cycle + 1);
    if (next >= until || !knows_as_before()) return site.ended.empty();
    cycle = next;
  }
}

// What is due in this cycle and, where nothing keeps it from that, in those before `end`. Leaves the last in `cycle`.
inline void RunAhead::tick(Piece& piece, CoreCycle& cycle, CoreCycle end) {
  if (piece.due > cycle) return;
  Site& site = *piece.site;
  piece.due = kNever;
  if (site.launch->awaits_block(site))
    CycleLaunch::tick(site, cycle);
  else if (go_straight(piece, cycle, end))
    return ask_core(piece);
  if (!piece.core->left().empty()) CycleLaunch::note_ended(site, cycle);
  ask(piece);
  piece.stopped = site.launch->concerned(site, cycle);
  piece.needs_room = piece.needs_room || piece.core->wants_room();
}

bool RunAhead::lacks_room(const Piece& piece) const {
  return piece.site && piece.core->wants_room() && !has_room(piece, 0);
}

void RunAhead::run(Piece& piece) {
  piece.log->forget(present_.count());  // reads before the present that nobody has written to meanwhile
  go_on(piece);
  piece.log->seal();
  note(piece);
}

void RunAhead::go_on(Piece& piece) {
  const Limit *awaiting = &limit_but_code(piece, true), *asking_nothing = &limit_but_code(piece, false);
  Limit by_code;
  while (!piece.stopped) {
    CoreCycle cycle = piece.next;
    const bool awaits = piece.core->unanswered() > 0;
    const Limit* limit = awaits ? awaiting : asking_nothing;
    if (awaits && shares_code_) limit = &(by_code = limit_of(piece, true));
    if (cycle >= limit->cycle) {
      piece.done = std::max(piece.done, limit->time);
      return;
    }
    if (cycle >= behind_now_ && !may_go_on(piece, cycle)) {
      piece.done = std::max(piece.done, clocks_.core.time(cycle));
      return;
    }
    try {
      if (piece.hears <= cycle) reply(piece, cycle, clocks_.core.time(cycle) + 1);
      tick(piece, cycle, std::min(limit->cycle, std::min(piece.hears, piece.sure)));
    } catch (...) {
      piece.error = std::current_exception();
      piece.stopped = true;
      cycle = std::max(cycle, piece.core->now());
    }
    piece.last = clocks_.core.time(cycle);
    piece.done = piece.last + 1;
    if (piece.error) return;
    piece.next = next_of(piece, cycle + 1);
    if (!piece.needs_room) continue;
    piece.needs_room = lacks_room(piece);
    if (piece.stopped) return;
    if (piece.needs_room) {  // it may come before the next cycle, and not earlier
      piece.done = std::max(piece.done, clocks_.core.time(cycle + 1));
      return;
    }
    awaiting = &limit_but_code(piece, true);
    asking_nothing = &limit_but_code(piece, false);
  }
}

}  // namespace heddle
