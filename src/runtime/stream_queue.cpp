#include "runtime/stream_queue.h"

#include <algorithm>
#include <utility>

#include "runtime/machine_facts.h"
#include "wire/protocol.h"

namespace heddle::runtime {

StreamQueue::StreamQueue(Gpu& gpu) : gpu_(gpu), most_(most_in_flight(gpu)) {}

bool StreamQueue::blocks(StreamId stream) { return (stream & kNonBlocking) == 0; }

// ---- what is given

// What an operation of the stream has to wait for.
std::vector<StreamQueue::Given> StreamQueue::before(StreamId stream) const {
  std::vector<Given> result;
  for (const auto& [other, operation] : last_) {
    const bool waits_for = stream == kDefaultStream ? blocks(other) : other == kDefaultStream && blocks(stream);
    if (other == stream || waits_for) result.push_back(operation);
  }
  return result;
}

void StreamQueue::follow(const Given& operation, const Given& before) {
  operation->ready = std::max(operation->ready, before->ready);
  learn(operation->knows, before->knows);
  if (before->done) return;
  ++operation->waits;
  before->followers.push_back(operation);
}

StreamQueue::Given StreamQueue::add(StreamId stream, Given operation) {
  operation->ready = std::max(operation->ready, program_);
  operation->stream = stream;
  learn(operation->knows, program_knows_);
  for (const Given& each : before(stream)) follow(operation, each);
  last_[stream] = operation;
  if (operation->waits == 0) make_ready(operation);
  begin_launches();
  return operation;
}

void StreamQueue::launch(StreamId stream, Launch what) {
  auto operation = std::make_shared<Operation>();
  operation->launch = std::make_unique<Launch>(std::move(what));
  add(stream, std::move(operation));
}

void StreamQueue::call(StreamId stream, std::function<void()> what) {
  auto operation = std::make_shared<Operation>();
  operation->call = std::move(what);
  add(stream, std::move(operation));
}

void StreamQueue::record(StreamId stream, uint64_t event) {
  events_[event] = {add(stream, std::make_shared<Operation>()), ++records_};
}

void StreamQueue::wait(StreamId stream, uint64_t event) {
  const auto found = events_.find(event);
  if (found == events_.end()) return;
  auto operation = std::make_shared<Operation>();
  follow(operation, found->second.operation);
  add(stream, operation);
}

// ---- what is done

void StreamQueue::make_ready(const Given& operation) {
  if (operation->launch && most_ == 1) return run_at_once(operation);
  if (operation->launch) return waiting_.push_back(operation);
  if (operation->call) operation->call();
  complete(operation, operation->ready);
}

void StreamQueue::complete(const Given& operation, CoreCycle at) {
  operation->done = true;
  operation->ready = at;
  operation->launch.reset();
  operation->call = nullptr;
  for (const Given& each : std::exchange(operation->followers, {})) {
    each->ready = std::max(each->ready, at);
    if (--each->waits == 0) make_ready(each);
  }
}

void StreamQueue::run_at_once(const Given& operation) {
  const Launch& what = *operation->launch;
  const size_t before = gpu_.launches().size();
  if (gpu_.options().checker) tell_order(*operation);
  operation->knows[operation->stream] = ++launched_[operation->stream];
  const auto count_time = [&] {
    if (gpu_.launches().size() > before) program_ = operation->ready + simulated_cycles(gpu_.launches().back());
    complete(operation, program_);
  };
  try {
    gpu_.launch(what.module, what.kernel, what.shape, what.arguments);
  } catch (...) {
    count_time();
    throw;
  }
  count_time();
}

// All blocks of a cooperative launch must have their places: it is alone.
bool StreamQueue::may_begin() const {
  if (waiting_.empty() || cooperative_) return false;
  return waiting_.front()->launch->shape.cooperative ? flights_.empty() : flights_.size() < most_;
}

void StreamQueue::begin_launches() {
  while (may_begin()) {
    const Given operation = waiting_.front();
    waiting_.pop_front();
    const Launch& what = *operation->launch;
    try {
      flights_[gpu_.begin(what.module, what.kernel, what.shape, what.arguments, operation->ready)] = operation;
      cooperative_ = what.shape.cooperative;
    } catch (...) {  // others may be in flight
      complete(operation, operation->ready);
      throw;
    }
  }
}

void StreamQueue::run_on() {
  Gpu::Ended ended{};
  try {
    ended = gpu_.run_on();
  } catch (...) {
    forget();
    throw;
  }
  const Given operation = flights_.extract(ended.launch).mapped();
  cooperative_ = false;
  complete(operation, ended.at);
  begin_launches();
}

void StreamQueue::finish(const Given& operation) {
  while (!operation->done) run_on();
  program_ = std::max(program_, operation->ready);
  learn(program_knows_, operation->knows);
}

// ---- for the check of races

void StreamQueue::learn(Known& known, const Known& more) {
  for (const auto& [stream, launches] : more) known[stream] = std::max(known[stream], launches);
}

void StreamQueue::tell_order(const Operation& operation) {
  const auto knows = [](const Known& known, const Past& past) {
    const auto found = known.find(past.stream);
    return found != known.end() && found->second >= past.number;
  };
  std::erase_if(past_, [&](const Past& past) { return knows(program_knows_, past); });
  const size_t place = gpu_.launches().size();
  check::LaunchOrder order{place, past_.empty() ? place : past_.front().place, {}};
  for (const Past& past : past_)
    if (!knows(operation.knows, past)) order.unordered.push_back(past.place);
  gpu_.order_next(std::move(order));
  past_.push_back({place, operation.stream, launched_[operation.stream] + 1});
}

void StreamQueue::finish_stream(StreamId stream) {
  for (const Given& each : before(stream)) finish(each);
}

void StreamQueue::finish_event(uint64_t event) {
  if (recorded(event)) finish(Given(events_[event].operation));
}

void StreamQueue::finish_all() {
  while (!flights_.empty()) run_on();
  for (const auto& [stream, operation] : last_) {
    program_ = std::max(program_, operation->ready);
    learn(program_knows_, operation->knows);
  }
}

void StreamQueue::forget() {
  last_.clear();
  waiting_.clear();
  flights_.clear();
  std::erase_if(events_, [](const auto& event) { return !event.second.operation->done; });
  cooperative_ = false;
}

// A record takes a cycle of its own, so that no two of them are at one time.
double StreamQueue::seconds_of(uint64_t event) const {
  const Event& found = events_.at(event);
  return static_cast<double>(found.operation->ready.count() + found.number) * cycle_seconds(gpu_);
}

}  // namespace heddle::runtime
