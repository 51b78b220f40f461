#include "gpu/run_ahead.h"

#include <algorithm>
#include <utility>

namespace heddle {

RunAhead::RunAhead(unsigned threads, const std::vector<Site*>& sites, MemorySystem& system, const Clocks& clocks)
    : sites_(sites),
      system_(system),
      clocks_(clocks),
      together_(system.together()),
      at_port_(system.at_port()),
      neighbours_(system.neighbours()),
      shares_code_(system.has_code_caches()),
      side_by_side_(together_ > 1 || threads > 1),
      pieces_(sites.size()),
      ports_(at_port_ > 1 ? (sites.size() + at_port_ - 1) / at_port_ : 0),
      shares_(number_of_turns(groups())),
      others_(shares_.size() - pieces_.size()),
      crew_(std::min(threads, static_cast<unsigned>(pieces_.size()) + 1)) {
  for (unsigned i = 0; i < shares_.size(); ++i) shares_[i].by = i % crew_.threads();
}

void RunAhead::begin(Tick now) {
  logs_.clear();
  logging_.clear();
  for (Port& port : ports_) port.reach = CoreCycle{0};  // of others
  for (unsigned core = 0; core < sites_.size(); ++core) {
    Piece& piece = pieces_[core];
    require(piece.inbox.empty(), "a reply for a core that is gone");
    leave(piece);
    piece.done = piece.last = now;
    piece.stopped = piece.needs_room = false;
    if (sites_[core]) take(piece, *sites_[core]);
    find_next(piece);
    note(piece);
  }
  look_over();
}

void RunAhead::take(Piece& piece, Site& site) {
  piece.site = &site;
  piece.core = site.core.get();
  piece.replies_send = piece.core->replies_send();
  piece.log = site.engine->context().log.get();
  piece.joined = together_ > 1 ? &system_.joined(site.number) : nullptr;
  piece.log->open();
  logs_.push_back(piece.log);
  logging_.push_back(site.number);
  piece.sure = ports_.empty() ? CoreCycle(0) : kNever;  // as far as its port lets it go
  ask(piece);
}

void RunAhead::leave(Piece& piece) {
  piece.site = nullptr;
  piece.core = nullptr;
  piece.log = nullptr;
  piece.joined = nullptr;
  piece.due = kNever;
}

// Who has ended since is gone, and its log.
void RunAhead::end() {
  for (Site* const site : sites_)
    if (site) site->engine->context().log->close();
  logs_.clear();
  logging_.clear();
  for (Piece& piece : pieces_) leave(piece);
}

// ---- what is to be done

void RunAhead::hear_joined(Piece& piece) {
  for (const MemorySystem::Arrival& each : *piece.joined) hear(piece, each);
  piece.joined->clear();
}

void RunAhead::refresh(unsigned core) {
  Piece& piece = pieces_[core];
  if (piece.site != sites_[core]) return;  // it begins with the others
  ask(piece);
  find_next(piece);
  note(piece);
  all_.asks = std::max(all_.asks, piece.asks);
}

void RunAhead::wake(unsigned core, CoreCycle cycle) {
  pieces_[core].due = std::min(pieces_[core].due, cycle);
  refresh(core);
}

void RunAhead::put(std::span<const MemorySystem::Arrival> arrivals) {
  for (const MemorySystem::Arrival& arrival : arrivals) __builtin_prefetch(&pieces_[arrival.reply.core].inbox, 1);
  for (const MemorySystem::Arrival& arrival : arrivals) {
    Piece& piece = pieces_[arrival.reply.core];
    hear(piece, arrival);
    piece.next = std::min(piece.next, piece.hears);
    if (side_by_side_ && piece.replies_send) all_.asks = std::max(all_.asks, ++piece.asks);
  }
}

// Nearly all come behind those that are there.
void RunAhead::hear(Piece& piece, const MemorySystem::Arrival& arrival) {
  const auto first = piece.inbox.begin() + static_cast<std::ptrdiff_t>(piece.read), end = piece.inbox.end();
  auto place = end;
  if (place != first && arrival.is_before(place[-1]))
    place = std::upper_bound(first, place, arrival, [](const auto& a, const auto& b) { return a.is_before(b); });
  if (place == first) piece.hears = clocks_.core.at_or_after(arrival.time);
  if (place == end)
    piece.inbox.push_back(arrival);
  else
    piece.inbox.insert(place, arrival);
}

void RunAhead::reply(CoreCycle cycle) {
  for (Piece& piece : pieces_) {
    if (piece.stopped || piece.hears > cycle) continue;
    reply(piece, cycle, clocks_.core.time(cycle));
    find_next(piece);
    note(piece);
  }
  look_over();
}

Tick RunAhead::next() const {
  CoreCycle next = kNever;
  Tick stopped = kNever;
  for (const Piece& piece : pieces_)
    if (piece.stopped)
      stopped = std::min(stopped, piece.done - 1);
    else
      next = std::min(next, piece.next);
  return next == kNever ? stopped : std::min(stopped, clocks_.core.time(next));
}

bool RunAhead::needs_room() {
  if (!all_.needs_room) return false;
  all_.needs_room = false;
  for (Piece& piece : pieces_) {
    piece.needs_room = piece.needs_room && lacks_room(piece);
    all_.needs_room = all_.needs_room || piece.needs_room;
  }
  return all_.needs_room;
}

bool RunAhead::some_wait() const {
  return std::ranges::any_of(pieces_, [](const Piece& piece) { return !piece.stopped && piece.awaits; });
}

void RunAhead::look_over() {
  all_ = {.done = kNever, .in_turn = all_.in_turn};
  for (const Piece& piece : pieces_) {
    all_.done = std::min(all_.done, piece.done);
    all_.stopped = all_.stopped || piece.stopped;
    all_.needs_room = all_.needs_room || piece.needs_room;
    all_.writes = all_.writes || piece.writes;
    all_.ended = all_.ended || piece.ended;
    all_.asks = std::max(all_.asks, piece.asks);
  }
}

Tick RunAhead::last() const {
  Tick last;
  for (const Piece& piece : pieces_) last = std::max(last, piece.last);
  return last;
}

std::span<GlobalLog* const> RunAhead::logs() { return logs_; }

void RunAhead::committed(std::span<const size_t> changed) {
  for (const size_t log : changed) note_writes(pieces_[logging_[log]]);
  all_.writes = std::ranges::any_of(pieces_, [](const Piece& piece) { return piece.writes; });
}

std::span<const unsigned> RunAhead::concerned() {
  concerned_.clear();
  if (!all_.stopped) return concerned_;
  const Tick upto = done();
  for (const Piece& piece : pieces_)
    if (piece.stopped && piece.done == upto) concerned_.push_back(piece.site->number);
  return concerned_;
}

void RunAhead::check(unsigned core) {
  if (failed(core)) std::rethrow_exception(std::exchange(pieces_[core].error, nullptr));
}

void RunAhead::go_on() {
  if (!all_.stopped) return;
  const Tick upto = done();
  for (Piece& piece : pieces_)
    if (piece.stopped && piece.done == upto) {
      piece.stopped = false;
      ask(piece);
      find_next(piece);
      note(piece);
      all_.asks = std::max(all_.asks, piece.asks);
    }
}

// ---- going on

void RunAhead::run(Tick now, Tick known, Tick until, bool beside) {
  beside_cycles_ = clocks_.core.at_or_after(now) - clocks_.core.at_or_after(now_);
  now_ = now;
  present_ = clocks_.core.at_or_after(now);
  behind_now_ = clocks_.core.after(now);
  until_ = limit_at(crew_.threads() > 1 ? std::min(until, now + worth_going()) : until);
  known_ = limit_at(std::min(known, until_.time));
  room_ = std::min(limit_behind(clocks_.network.time(clocks_.network.at_or_after(now))), known_);
  turn_ = std::min(limit_behind(now), until_);
  slowest_ = {kNever, kNever};
  find_reach(now, until_.cycle);
  find_turns(now, beside);
  needs_room();
  const Tick enough = all_.in_turn ? turn_.time : all_.needs_room ? room_.time : Tick(kNever);
  todo_.clear();
  for (unsigned i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    if (piece.stopped) continue;
    if (const Limit limit = limit_of(piece, piece.awaits); piece.next >= limit.cycle)
      piece.done = std::max(piece.done, limit.time);
    else if (piece.in_turn)
      expect_turn(i);
    else if (piece.done < enough) {
      if (side_by_side_) system_.expect_from(i);
      expect(i, limit.cycle - piece.next);
    }
  }
  if (beside) expect(this->beside(), beside_cycles_);
  system_.part(side_by_side_);
  do_all();
  system_.part(false);
  look_over();
  gained_ = std::max(all_.done - std::min(now, all_.done), gained_ - gained_ / 8);
}

// Who goes much farther than all have been able to go of late keeps others waiting, who have done their pieces.
uint64_t RunAhead::worth_going() const {
  constexpr CoreCycle kLeast{16};
  return std::max(2 * gained_, clocks_.core.time(kLeast).count());
}

// What was done before done() is settled by now. Limits and rooms at ports are those of the round.
bool RunAhead::resume() {
  if (concerned_.empty()) return false;
  todo_.clear();
  for (const unsigned core : concerned_) {
    Piece& piece = pieces_[core];
    if (const Limit limit = limit_of(piece, piece.awaits); piece.next >= limit.cycle)
      piece.done = std::max(piece.done, limit.time);
    else {
      if (side_by_side_) system_.expect_from(core);
      expect(core, limit.cycle - piece.next);
    }
  }
  system_.part(side_by_side_);
  do_all();
  system_.part(false);
  look_over();
  return true;
}

void RunAhead::run_in_turn(unsigned core) {
  system_.give_turn(core, now_);
  run(pieces_[core]);
  system_.end_turn(core);
}

// Those of a group are one piece.
void RunAhead::expect_turn(unsigned core) {
  if (crew_.threads() == 1) return run_in_turn(core);
  system_.expect_from(core);
  const unsigned turns = number_of_turns(core / neighbours_);
  if (todo_.empty() || todo_.back() != turns) expect(turns, 1);
}

void RunAhead::run_turns(unsigned group) {
  const unsigned first = group * neighbours_;
  for (unsigned core = first; core < std::min<size_t>(first + neighbours_, pieces_.size()); ++core)
    if (const Piece& piece = pieces_[core]; !piece.stopped && piece.next < turn_.cycle) run_in_turn(core);
}

void RunAhead::follow(Tick before, Tick bound) {
  if (crew_.threads() == 1) return system_.follow(before, bound);
  system_.follow(before, bound, side_work_);
}

void RunAhead::hand_over(Tick before, Tick bound, const std::function<void()>& also) {
  also_ = also ? &also : nullptr;
  system_.hand_over(before, bound, crew_.threads() > 1 ? side_work_ : MemorySystem::SideWork());
  if (also_) (*std::exchange(also_, nullptr))();
}

void RunAhead::do_parts(MemorySystem::Work what, std::span<const unsigned> parts, uint64_t cycles) {
  todo_.clear();
  for (const unsigned part : parts) expect(number_of(what, part), cycles);
  if (also_) expect(number_of_also(), cycles);
  beside_cycles_ = cycles;
  do_all();
  also_ = nullptr;
}

}  // namespace heddle
