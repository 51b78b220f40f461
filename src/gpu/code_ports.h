// The ports through which groups of cores get lines of code: what has come for a core of a group goes through, in order
// of arrival, so many bytes in a cycle.
#pragma once

#include <algorithm>
#include <vector>

#include "core/core_parameters.h"
#include "core/first_level.h"
#include "core/queue.h"
#include "memory/request.h"

namespace heddle {

inline bool is_code(const Reply& reply) { return origin_of(reply.tag) == Origin::Instruction; }

class CodePorts {
 public:
  CodePorts(const CoreParameters& parameters, unsigned cores)
      : group_(parameters.code_group),
        cycles_(parameters.code_group_bytes == 0
                    ? 0
                    : (parameters.instruction.line + parameters.code_group_bytes - 1) / parameters.code_group_bytes),
        ports_((cores + group_ - 1) / group_) {}

  bool used() const { return cycles_ > 0; }
  bool empty() const { return next_ == kNever; }
  CoreCycle next() const { return next_; }  // when a line is through; kNever: there is none

  void put(const Reply& reply, CoreCycle now) {
    Port& port = ports_[reply.core / group_];
    port.free = std::max(port.free, now) + cycles_;
    port.lines.push({port.free, reply});
    next_ = std::min(next_, port.lines.front().through);
  }
  // Calls f(reply) for each line that is through.
  template <class F>
  void take(CoreCycle now, F&& f) {
    if (now < next_) return;
    next_ = kNever;
    for (Port& port : ports_) {
      for (; !port.lines.empty() && port.lines.front().through <= now; port.lines.pop()) f(port.lines.front().reply);
      if (!port.lines.empty()) next_ = std::min(next_, port.lines.front().through);
    }
  }

 private:
  struct Line {
    CoreCycle through{0};
    Reply reply;
  };
  struct Port {
    Queue<Line> lines;
    CoreCycle free{0};
  };
  const unsigned group_, cycles_;
  std::vector<Port> ports_;
  CoreCycle next_ = kNever;
};

}  // namespace heddle
