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
      shares_code_(system.has_code_caches()),
      pieces_((sites.size() + together_ - 1) / together_),
      ports_(at_port_ > 1 ? (sites.size() + at_port_ - 1) / at_port_ : 0),
      seats_(sites.size()),
      shares_(pieces_.size() + 1 + system.channels()),
      others_(1 + system.channels()),
      crew_(std::min(threads, static_cast<unsigned>(pieces_.size()) + 1), [this](unsigned piece) { work(piece); }) {
  for (unsigned i = 0; i < pieces_.size(); ++i) {
    const size_t first = size_t{i} * together_;
    pieces_[i].seats = std::span(seats_).subspan(first, std::min<size_t>(together_, seats_.size() - first));
  }
  for (unsigned i = 0; i < shares_.size(); ++i) shares_[i].by = i % crew_.threads();
}

void RunAhead::begin(Tick now) {
  logs_.clear();
  logging_.clear();
  for (Port& port : ports_) port.reach = CoreCycle{0};  // of others
  for (unsigned core = 0; core < sites_.size(); ++core) {
    Seat& seat = seats_[core] = {};
    if (!sites_[core]) continue;
    seat.site = sites_[core];
    seat.core = seat.site->core.get();
    seat.log = seat.site->engine->context().log.get();
    seat.log->open();
    logs_.push_back(seat.log);
    logging_.push_back(core);
    if (!ports_.empty()) seat.sure = kNever;  // as far as its piece may go
    ask(seat);
  }
  for (Piece& piece : pieces_) {
    require(piece.inbox.empty(), "a reply for a core that is gone");
    piece.done = now;
    piece.stopped = piece.needs_room = false;
    find_next(piece);
    note(piece);
  }
}

// Who has ended since is gone, and its log.
void RunAhead::end() {
  for (Site* const site : sites_)
    if (site) site->engine->context().log->close();
  logs_.clear();
  logging_.clear();
  std::ranges::fill(seats_, Seat{});
}

// ---- what is to be done

void RunAhead::ask(Seat& seat) {
  if (seat.site) seat.due = std::min(seat.due, seat.site->launch->next_of(*seat.site));
}

void RunAhead::refresh(unsigned core) {
  if (seats_[core].site != sites_[core]) return;  // it begins with the others
  ask(seats_[core]);
  Piece& piece = piece_of(core);
  find_next(piece);
  note(piece);
}

void RunAhead::wake(unsigned core, CoreCycle cycle) {
  seats_[core].due = std::min(seats_[core].due, cycle);
  refresh(core);
}

// Of those at one time code is the last: it may be known later than others that come behind it.
void RunAhead::put(std::span<const MemorySystem::Arrival> arrivals) {
  const auto before = [](const MemorySystem::Arrival& a, const MemorySystem::Arrival& b) {
    return a.time != b.time ? a.time < b.time : a.reply.code < b.reply.code;
  };
  for (const MemorySystem::Arrival& arrival : arrivals) {
    Piece& piece = piece_of(arrival.reply.core);
    const auto unread = piece.inbox.begin() + static_cast<std::ptrdiff_t>(piece.read);
    if (unread == piece.inbox.end() || !before(arrival, piece.inbox.back()))
      piece.inbox.push_back(arrival);
    else
      piece.inbox.insert(std::upper_bound(unread, piece.inbox.end(), arrival, before), arrival);
    const CoreCycle hears = clocks_.core.at_or_after(arrival.time);
    if (piece.hears <= hears) continue;
    piece.hears = hears;
    piece.next = std::min(piece.next, piece.hears);
  }
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
  bool any = false;
  for (Piece& piece : pieces_) {
    piece.needs_room = piece.needs_room && lacks_room(piece);
    any = any || piece.needs_room;
  }
  return any;
}

bool RunAhead::some_wait() const {
  return std::ranges::any_of(pieces_, [](const Piece& piece) { return !piece.stopped && piece.awaits; });
}

Tick RunAhead::done() const {
  Tick done = kNever;
  for (const Piece& piece : pieces_) done = std::min(done, piece.done);
  return done;
}

bool RunAhead::some_ended() const {
  return std::ranges::any_of(pieces_, [](const Piece& piece) { return piece.ended; });
}

bool RunAhead::writes() const {
  return std::ranges::any_of(pieces_, [](const Piece& piece) { return piece.writes; });
}

std::span<GlobalLog* const> RunAhead::logs() { return logs_; }

void RunAhead::committed(std::span<const size_t> changed) {
  for (const size_t log : changed) note_writes(piece_of(logging_[log]));
}

std::span<const unsigned> RunAhead::concerned() {
  concerned_.clear();
  const Tick upto = done();
  for (const Piece& piece : pieces_)
    if (piece.stopped && piece.done == upto)
      for (const Seat& seat : piece.seats)
        if (seat.site) concerned_.push_back(seat.site->number);
  return concerned_;
}

void RunAhead::check(unsigned core) {
  if (failed(core)) std::rethrow_exception(std::exchange(piece_of(core).error, nullptr));
}

void RunAhead::go_on() {
  const Tick upto = done();
  for (Piece& piece : pieces_)
    if (piece.stopped && piece.done == upto) {
      piece.stopped = false;
      for (Seat& seat : piece.seats) ask(seat);
      find_next(piece);
      note(piece);
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
  find_reach(now, until_.cycle);
  needs_room();
  todo_.clear();
  for (unsigned i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    if (piece.stopped) continue;
    if (const Limit limit = limit_of(piece, piece.awaits); piece.next >= limit.cycle)
      piece.done = std::max(piece.done, limit.time);
    else if (piece.tight)
      run(piece);
    else
      expect(i, static_cast<double>(limit.cycle - piece.next));
  }
  if (beside) expect(this->beside(), static_cast<double>(beside_cycles_));
  do_all();
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
    for (const unsigned number : todo_) work(number);
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
