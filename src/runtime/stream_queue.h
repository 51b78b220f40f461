// What a program has given to its streams, done in the order that they allow, in simulated time.
//
// An operation waits for the one before it in its stream and for the events its stream was told to wait for. The
// default stream waits for all others but those that do not block, and they for it. Several launches are in flight at
// once where the machine has that (key launches) and nobody watches; else each is done when it is given. Copies take no
// time, and the program takes none: what it gives before it waits begins at once.
//
// Any of these may throw what a launch ends in; then all that was under way is lost.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gpu.h"

namespace heddle::runtime {

class StreamQueue {
 public:
  using StreamId = uint64_t;
  struct Launch {
    size_t module = 0;
    std::string kernel;
    LaunchShape shape;
    Arguments arguments;
  };

  explicit StreamQueue(Gpu& gpu);

  void launch(StreamId stream, Launch what);
  void call(StreamId stream, std::function<void()> what);  // a copy
  void record(StreamId stream, uint64_t event);
  void wait(StreamId stream, uint64_t event);  // an event that was never recorded is not waited for

  void finish_all();
  void finish_stream(StreamId stream);
  void finish_event(uint64_t event);
  bool recorded(uint64_t event) const { return events_.contains(event); }
  double seconds_of(uint64_t event) const;  // finished

 private:
  using Known = std::map<StreamId, size_t>;  // how many launches of each stream
  struct Operation {
    StreamId stream = 0;
    Known knows;                     // is ordered behind so many
    std::unique_ptr<Launch> launch;  // or
    std::function<void()> call;
    unsigned waits = 0;  // for so many others
    CoreCycle ready{0};
    bool done = false;  // from `ready` on, a launch from its end
    std::vector<std::shared_ptr<Operation>> followers;
  };
  using Given = std::shared_ptr<Operation>;
  struct Event {
    Given operation;
    uint64_t number;  // among all records
  };

  static bool blocks(StreamId stream);
  Given add(StreamId stream, Given operation);
  static void follow(const Given& operation, const Given& before);
  std::vector<Given> before(StreamId stream) const;
  void make_ready(const Given& operation);
  void complete(const Given& operation, CoreCycle at);
  void begin_launches();
  bool may_begin() const;
  void run_at_once(const Given& operation);
  void run_on();
  void finish(const Given& operation);
  void forget();

  Gpu& gpu_;
  const size_t most_;               // launches in flight; 1: each is done when it is given
  CoreCycle program_{0};            // when the program gives what it gives
  std::map<StreamId, Given> last_;  // of each stream
  std::map<uint64_t, Event> events_;
  std::deque<Given> waiting_;        // launches that could begin
  std::map<size_t, Given> flights_;  // by their place among the GPU's launches
  bool cooperative_ = false;         // the one in flight
  uint64_t records_ = 0;

  // For the check of races, where each launch is done when it is given.
  struct Past {
    size_t place;  // among the GPU's launches
    StreamId stream;
    size_t number;  // in the stream, from 1 on
  };
  static void learn(Known& known, const Known& more);
  void tell_order(const Operation& operation);
  Known program_knows_, launched_;
  std::deque<Past> past_;  // launches that the program has not waited for
};

}  // namespace heddle::runtime
