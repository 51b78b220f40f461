// Who does what of a round.
#include <algorithm>
#include <chrono>
#include <utility>

#include "gpu/run_ahead.h"

namespace heddle {
namespace {

constexpr double kWorthwhile = 5000;  // nanoseconds to be saved: for less it is not worth to call others

}  // namespace

// What is to be done, on several threads where that pays.
void RunAhead::do_all() {
  if (crew_.threads() == 1) return do_alone();
  if (worth_sharing()) {
    share_out();
    crew_.run(work_);
  } else {
    for (const unsigned number : todo_) work(number);
  }
  learn();
  for (const unsigned number : todo_)
    if (number >= beside() && others_[number - beside()].error)
      std::rethrow_exception(std::exchange(others_[number - beside()].error, nullptr));
}

// By the threads that do their pieces. What the first of them throws is thrown when all are done.
void RunAhead::for_each(std::span<const unsigned> cores, const std::function<void(size_t)>& f) {
  std::vector<std::exception_ptr> errors(cores.size());
  for (unsigned i = 0; i < cores.size(); ++i) crew_.put(shares_[cores[i]].by, i);
  crew_.run([&](unsigned i) {
    try {
      f(i);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& each : errors)
    if (each) std::rethrow_exception(each);
}

// There is nothing but pieces.
void RunAhead::do_alone() {
  for (const unsigned number : todo_) {
    Piece& piece = pieces_[number];
    run(piece);
    if (piece.done < slowest_.time && !piece.stopped) slowest_ = limit_at(piece.done);
  }
}

// Can others save more than it takes to call them?
bool RunAhead::worth_sharing() {
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
  const Clock::time_point before = Clock::now();
  const bool other = number >= beside();
  const CoreCycle from = other ? CoreCycle{0} : pieces_[number].next;
  if (other)
    run_other(number);
  else
    run(pieces_[number]);
  spent_on(number) = {std::chrono::duration<Time, std::nano>(Clock::now() - before).count(), cycles_of(number, from)};
}

// That it has done, and a core from there.
uint64_t RunAhead::cycles_of(unsigned number, CoreCycle from) const {
  if (number < beside()) return clocks_.core.at_or_after(pieces_[number].done) - from;
  return number > number_of_also() ? 1 : beside_cycles_;  // turns are of one
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
    using Work = MemorySystem::Work;
    if (number == beside())
      system_.catch_up();
    else if (number < number_of(Work::HandOver, 0))
      system_.do_part(Work::Channels, number - number_of(Work::Channels, 0));
    else if (number < number_of_also())
      system_.do_part(Work::HandOver, number - number_of(Work::HandOver, 0));
    else if (number > number_of_also())
      run_turns(number - number_of_turns(0));
    else
      (*also_)();
  } catch (...) {
    others_[number - beside()].error = std::current_exception();
  }
}

}  // namespace heddle
