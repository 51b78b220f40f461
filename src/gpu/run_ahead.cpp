#include "gpu/run_ahead.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace heddle {
namespace {

constexpr double kWorthwhile = 5000;  // nanoseconds to be saved: for less it is not worth to call others

}  // namespace

RunAhead::RunAhead(unsigned threads, const std::vector<Site*>& sites, MemorySystem& system, const Clocks& clocks)
    : sites_(sites),
      system_(system),
      clocks_(clocks),
      together_(system.together()),
      at_port_(system.at_port()),
      pieces_(sites.size()),
      ports_(at_port_ > 1 ? (sites.size() + at_port_ - 1) / at_port_ : 0),
      shares_(pieces_.size() + 1 + system.channels()),
      others_(1 + system.channels()),
      crew_(std::min(threads, static_cast<unsigned>(pieces_.size()) + 1), [this](unsigned piece) { work(piece); }) {
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
  piece.log = site.engine->context().log.get();
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

void RunAhead::ask(Piece& piece) {
  if (!piece.site) return;
  piece.due = std::min(piece.due, piece.site->launch->next_of(*piece.site));
  if (together_ == 1) return;
  std::vector<MemorySystem::Arrival>& joined = system_.joined(piece.site->number);
  for (const MemorySystem::Arrival& each : joined) hear(piece, each);
  if (!joined.empty()) joined.clear();
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
    all_.asks = std::max(all_.asks, ++piece.asks);
  }
}

// Nearly all come behind those that are there.
void RunAhead::hear(Piece& piece, const MemorySystem::Arrival& arrival) {
  auto place = piece.inbox.end();
  const auto first = piece.inbox.begin() + static_cast<std::ptrdiff_t>(piece.read);
  if (place != first && arrival.is_before(place[-1]))
    place = std::upper_bound(first, place, arrival, [](const auto& a, const auto& b) { return a.is_before(b); });
  if (place == first) piece.hears = clocks_.core.at_or_after(arrival.time);
  piece.inbox.insert(place, arrival);
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
  until_ = limit_at(until);
  known_ = limit_at(std::min(known, until_.time));
  room_ = limit_at(std::min(clocks_.network.time(clocks_.network.at_or_after(now)) + 1, known_.time));
  turn_ = limit_at(now + 1);
  slowest_ = {kNever, kNever};
  find_reach(now, until_.cycle);
  find_turns(now, beside);
  needs_room();
  todo_.clear();
  for (unsigned i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    if (piece.stopped) continue;
    if (const Limit& limit = limit_of(piece, piece.awaits); piece.next >= limit.cycle)
      piece.done = std::max(piece.done, limit.time);
    else if (piece.in_turn)
      run_in_turn(i);
    else {
      system_.expect_from(i);
      expect(i, static_cast<double>(limit.cycle - piece.next));
    }
  }
  if (beside) expect(this->beside(), static_cast<double>(beside_cycles_));
  system_.part(true);
  do_all();
  system_.part(false);
  look_over();
}

void RunAhead::run_in_turn(unsigned core) {
  system_.give_turn(core, now_);
  run(pieces_[core]);
  system_.end_turn();
}

void RunAhead::follow(Tick before, Tick bound) {
  if (crew_.threads() == 1) return system_.follow(before, bound);
  system_.follow(before, bound, [this](std::span<const unsigned> channels, uint64_t cycles) {
    todo_.clear();
    for (const unsigned channel : channels) expect(number_of(channel), static_cast<double>(cycles));
    beside_cycles_ = cycles;
    do_all();
  });
}

// What is to be done, on several threads where that pays.
void RunAhead::do_all() {
  if (worth_sharing()) {
    share_out();
    crew_.run();
  } else {
    for (const unsigned number : todo_) {
      work(number);
      if (crew_.threads() == 1 && pieces_[number].done < slowest_.time) slowest_ = limit_at(pieces_[number].done);
    }
  }
  if (crew_.threads() > 1) learn();
  for (const unsigned number : todo_)
    if (number >= beside() && others_[number - beside()].error)
      std::rethrow_exception(std::exchange(others_[number - beside()].error, nullptr));
}

void RunAhead::expect(unsigned number, double cycles) {
  todo_.push_back(number);
  shares_[number].expected = shares_[number].a_cycle * cycles;
}

// Can others save more than it takes to call them?
bool RunAhead::worth_sharing() {
  if (crew_.threads() == 1) return false;
  Time all = 0, longest = 0;
  for (const unsigned number : todo_) {
    all += shares_[number].expected;
    longest = std::max(longest, shares_[number].expected);
  }
  return all - std::max(longest, all / crew_.threads()) > kWorthwhile;
}

// By what the pieces took for a cycle when they were done last. Each goes to the thread that did it, whose cache has
// what it touches, as long as that has not much more than its part of all, for to move one may cost as much as to do
// it; the others, longest first, to whoever has least.
void RunAhead::share_out() {
  Time all = 0;
  for (const unsigned number : todo_) all += shares_[number].expected;
  const Time part = all / crew_.threads();
  loads_.assign(crew_.threads(), 0);
  rest_.clear();
  const auto give = [&](unsigned number, unsigned thread) {
    Share& share = shares_[number];
    share.by = thread;
    loads_[thread] += share.expected;
    crew_.put(thread, number);
  };
  for (size_t i = todo_.size(); i-- > 0;) {  // the memory system first
    const Share& share = shares_[todo_[i]];
    if (loads_[share.by] + share.expected / 2 <= part + part / 8)
      give(todo_[i], share.by);
    else
      rest_.push_back(todo_[i]);
  }
  std::sort(rest_.begin(), rest_.end(),
            [&](unsigned a, unsigned b) { return shares_[a].expected > shares_[b].expected; });
  for (const unsigned number : rest_)
    give(number, static_cast<unsigned>(std::min_element(loads_.begin(), loads_.end()) - loads_.begin()));
}

void RunAhead::work(unsigned number) {
  using Clock = std::chrono::steady_clock;
  const bool timed = crew_.threads() > 1;
  const Clock::time_point before = timed ? Clock::now() : Clock::time_point();
  const bool other = number >= beside();
  const CoreCycle from = other ? CoreCycle{0} : pieces_[number].next;
  if (other)
    run_other(number);
  else
    run(pieces_[number]);
  if (!timed) return;
  const uint64_t cycles = other ? beside_cycles_ : clocks_.core.at_or_after(pieces_[number].done) - from;
  spent_on(number) = {std::chrono::duration<Time, std::nano>(Clock::now() - before).count(), cycles};
}

void RunAhead::learn() {
  for (const unsigned number : todo_) {
    const Spent& spent = spent_on(number);
    Time& a_cycle = shares_[number].a_cycle;
    a_cycle = (a_cycle + spent.time / static_cast<Time>(std::max<uint64_t>(1, spent.cycles))) / 2;
  }
}

void RunAhead::run_other(unsigned number) {
  try {
    if (number == beside())
      system_.catch_up();
    else
      system_.work_on(number - number_of(0));
  } catch (...) {
    others_[number - beside()].error = std::current_exception();
  }
}

}  // namespace heddle
