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
      pieces_((sites.size() + together_ - 1) / together_),
      due_(sites.size()),
      crew_(std::min(threads, static_cast<unsigned>(pieces_.size()) + 1), [this](unsigned piece) { work(piece); }) {
  for (unsigned i = 0; i < pieces_.size(); ++i) {
    pieces_[i].first = i * together_;
    pieces_[i].end = std::min((i + 1) * together_, static_cast<unsigned>(sites.size()));
    pieces_[i].share.by = i % crew_.threads();
  }
}

void RunAhead::begin(Tick now) {
  logs_.clear();
  std::fill(due_.begin(), due_.end(), Due{});
  for (unsigned core = 0; core < sites_.size(); ++core)
    if (sites_[core]) {
      GlobalLog& log = *sites_[core]->engine->context().log;
      log.open();
      logs_.push_back(&log);
      ask(core);
    }
  for (Piece& piece : pieces_) {
    require(piece.inbox.empty(), "a reply for a core that is gone");
    piece.done = now;
    piece.stopped = piece.needs_room = false;
    piece.next = next_of(piece);
    note(piece);
  }
}

void RunAhead::end() {
  for (Site* const site : sites_)
    if (site) site->engine->context().log->close();
}

// ---- what is to be done

void RunAhead::ask(unsigned core) {
  const Site* const site = sites_[core];
  if (site) due_[core].cycle = std::min(due_[core].cycle, site->launch->next_of(*site));
}

// Replies that come between two cycles are for the second.
Tick RunAhead::next_of(const Piece& piece) const {
  CoreCycle next = kNever;
  for (unsigned core = piece.first; core < piece.end; ++core) next = std::min(next, due_[core].cycle);
  if (piece.read < piece.inbox.size()) next = std::min(next, clocks_.core.at_or_after(piece.inbox[piece.read].time));
  return next == kNever ? Tick(kNever)
                        : std::max(clocks_.core.time(next), clocks_.core.time(clocks_.core.at_or_after(piece.done)));
}

void RunAhead::refresh(unsigned core) {
  ask(core);
  Piece& piece = piece_of(core);
  piece.next = next_of(piece);
  note(piece);
}

void RunAhead::wake(unsigned core, CoreCycle cycle) {
  due_[core].cycle = std::min(due_[core].cycle, cycle);
  refresh(core);
}

void RunAhead::put(std::span<const MemorySystem::Arrival> arrivals) {
  for (const MemorySystem::Arrival& arrival : arrivals) {
    Piece& piece = piece_of(arrival.reply.core);
    piece.inbox.push_back(arrival);
    piece.next = std::min(piece.next, clocks_.core.time(clocks_.core.at_or_after(arrival.time)));
  }
}

Tick RunAhead::next() const {
  Tick next = kNever;
  for (const Piece& piece : pieces_) next = std::min(next, piece.stopped ? piece.done - 1 : piece.next);
  return next;
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

void RunAhead::committed() {
  for (Piece& piece : pieces_)
    if (piece.writes) note(piece);
}

std::span<const unsigned> RunAhead::concerned() {
  concerned_.clear();
  const Tick upto = done();
  for (const Piece& piece : pieces_)
    if (piece.stopped && piece.done == upto)
      for (unsigned core = piece.first; core < piece.end; ++core)
        if (sites_[core]) concerned_.push_back(core);
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
      for (unsigned core = piece.first; core < piece.end; ++core) ask(core);
      piece.next = next_of(piece);
      note(piece);
    }
}

// ---- going on

void RunAhead::run(Tick now, Tick known, Tick until, bool beside) {
  const bool sure = !system_.shares_ports() || certain(now);
  beside_cycles_ = clocks_.core.at_or_after(now) - clocks_.core.at_or_after(now_);
  now_ = now;
  until_ = sure ? until : now + 1;
  known_ = std::min(known, until_);
  room_ = clocks_.network.time(clocks_.network.at_or_after(now_)) + 1;
  needs_room();
  todo_.clear();
  for (unsigned i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    if (piece.stopped) continue;
    if (const Tick limit = limit_of(piece, piece.awaits); piece.next >= limit)
      piece.done = std::max(piece.done, limit);
    else
      expect(i, static_cast<double>((limit - piece.next) / clocks_.core.period() + 1));
  }
  if (beside) expect(static_cast<unsigned>(pieces_.size()), static_cast<double>(beside_cycles_));
  if (sure && worth_sharing()) {
    share_out();
    crew_.run();
  } else {
    for (const unsigned number : todo_) work(number);
  }
  if (beside_) std::rethrow_exception(std::exchange(beside_, nullptr));
}

void RunAhead::expect(unsigned number, double cycles) {
  todo_.push_back(number);
  share_of(number).expected = share_of(number).a_cycle * cycles;
}

// Can others save more than it takes to call them?
bool RunAhead::worth_sharing() {
  if (crew_.threads() == 1) return false;
  Time all = 0, longest = 0;
  for (const unsigned number : todo_) {
    all += share_of(number).expected;
    longest = std::max(longest, share_of(number).expected);
  }
  return all - longest > kWorthwhile;
}

// By what the pieces took for a cycle when they were done last. Each goes to the thread that did it, whose cache has
// what it touches, as long as that has not much more than its part of all, for to move one may cost as much as to do
// it; the others, longest first, to whoever has least.
void RunAhead::share_out() {
  Time all = 0;
  for (const unsigned number : todo_) all += share_of(number).expected;
  const Time part = all / crew_.threads();
  loads_.assign(crew_.threads(), 0);
  rest_.clear();
  const auto give = [&](unsigned number, unsigned thread) {
    Share& share = share_of(number);
    share.by = thread;
    loads_[thread] += share.expected;
    crew_.put(thread, number);
  };
  for (size_t i = todo_.size(); i-- > 0;) {  // the memory system first
    const Share& share = share_of(todo_[i]);
    if (loads_[share.by] + share.expected / 2 <= part + part / 8)
      give(todo_[i], share.by);
    else
      rest_.push_back(todo_[i]);
  }
  std::sort(rest_.begin(), rest_.end(),
            [&](unsigned a, unsigned b) { return share_of(a).expected > share_of(b).expected; });
  for (const unsigned number : rest_)
    give(number, static_cast<unsigned>(std::min_element(loads_.begin(), loads_.end()) - loads_.begin()));
}

void RunAhead::work(unsigned number) {
  using Clock = std::chrono::steady_clock;
  const bool timed = crew_.threads() > 1;
  const Clock::time_point before = timed ? Clock::now() : Clock::time_point();
  const bool beside = number == pieces_.size();
  const Tick from = beside ? Tick{0} : pieces_[number].next;
  if (beside)
    run_beside();
  else
    run(pieces_[number]);
  if (!timed) return;
  const uint64_t cycles = beside ? beside_cycles_ : (pieces_[number].done - from) / clocks_.core.period();
  const Time took = std::chrono::duration<Time, std::nano>(Clock::now() - before).count();
  Share& share = share_of(number);
  share.a_cycle = (share.a_cycle + took / static_cast<Time>(std::max<uint64_t>(1, cycles))) / 2;
}

void RunAhead::run_beside() {
  try {
    system_.catch_up();
  } catch (...) {
    beside_ = std::current_exception();
  }
}

}  // namespace heddle
