// Caches of code that groups of cores share, between the instruction caches of these and the L2.
//
// A request is looked up in the order of the times at which cores ask and, within one time, of the cores, one in each
// cycle of the caches' own clock; cores that sit together and ask for one line while the first of them waits are one
// request. The line is with the core `latency` cycles later, a bit more the farther it is from its cache, or
// `miss_latency` where the cache has to ask the L2, which takes no place there.
//
// Life cycle: cores ask(), each on its own thread; serve() does what they have asked before a time that all of them
// have left behind; then it is known when the lines come, and take() gives them.
#pragma once

#include <deque>
#include <queue>
#include <vector>

#include "memory/cache.h"
#include "memory/clock.h"
#include "memory/memory_parameters.h"
#include "memory/request.h"

namespace heddle {

class CodeCaches {
 public:
  CodeCaches(const MemoryParameters& parameters, const Clock<CoreCycle>& clock, unsigned cores);

  bool used() const { return !groups_.empty(); }
  bool empty() const { return coming_.empty() && first_asked_ == kNever; }
  void hold(Address begin, uint64_t bytes);  // the first of this code is there from now on

  void ask(const Request& request, Tick now);
  // What comes for this core is known before that time, as far as it has asked for it.
  Tick known(unsigned core) const;
  void serve(Tick before);
  Tick next() const;  // some line comes, or is to be looked up; kNever: none
  template <class F>
  void take(Tick before, F&& f) {  // f(time, reply)
    for (; !coming_.empty() && coming_.top().time < before; coming_.pop(), ++answered_)
      f(coming_.top().time, coming_.top().reply);
  }
  uint64_t answered() const { return answered_; }

 private:
  struct Asked {
    CoreCycle cycle;
    uint64_t line;
    uint16_t core;
    uint32_t tag;
  };
  struct alignas(kApart) Mailbox {  // of a core
    std::vector<Asked> asked;
  };
  struct Waiting {  // to be looked up, then
    CoreCycle looked;
    uint64_t line;
    unsigned seat;
  };
  struct Group {
    explicit Group(const MemoryParameters& p) : cache("icache_group", p.code_bytes, p.code_line, p.code_ways) {
      there.resize(cache.places());
    }
    Cache cache;
    std::vector<CoreCycle> there;  // by way: its line
    std::deque<Waiting> waiting;
    uint64_t free = 0;  // the next look-up, in parts of a cycle, `clock` of which are one
    unsigned first = 0, cores = 0;
  };
  struct Coming {
    Tick time;
    uint64_t order;  // in which they were looked up
    Reply reply;
    bool operator<(const Coming& other) const {  // the first is the top
      return time != other.time ? time > other.time : order > other.order;
    }
  };

  void answer(const Asked& asked);
  CoreCycle look_up(Group& group, const Asked& asked) const;
  CoreCycle there(Group& group, uint64_t line, CoreCycle looked) const;

  const MemoryParameters parameters_;
  const Clock<CoreCycle> clock_;
  std::vector<Group> groups_;
  std::vector<unsigned> group_of_;  // by core
  std::vector<Mailbox> mailboxes_;  // likewise
  std::vector<Asked> due_;          // while they are served
  std::priority_queue<Coming> coming_;
  CoreCycle first_asked_ = kNever;  // of what is to be served
  uint64_t orders_ = 0, answered_ = 0;
};

}  // namespace heddle
