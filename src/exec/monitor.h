// Whoever looks at everything that the threads of a core do: which memory they touch, and what puts them in order. The
// checks are one (src/check).
//
// Life cycle: it belongs to a Context, which tells it of blocks; where threads meet (divergence/rendezvous.h) it is
// told of barriers and warp-wide instructions. Of other instructions it hears by standing in for their handlers
// (stand_in()): execute() is called in their place and calls them. Without one nothing of this costs anything.
#pragma once

#include "exec/context.h"

namespace heddle {

// Threads that come to a block-wide barrier.
struct BarrierCame {
  BlockId block;
  unsigned index = 0;  // which of the sixteen
  Pc pc = 0;
  Lanes lanes;
  bool waits = true;  // false: bar.arrive
};

class Monitor {
 public:
  virtual ~Monitor() = default;

  virtual void execute(Context& context, const Instruction& instruction, const Lanes& lanes) = 0;
  virtual void block_started(Context&, BlockId) {}
  virtual void barrier_came(Context&, const BarrierCame&) {}
  virtual void barrier_done(Context&, BlockId, unsigned) {}
  // Threads come to a warp-wide instruction, not all that it asks for.
  virtual void warp_came(Context&, const Instruction&, const Lanes&) {}
  // These members of a static warp (by its row) meet, before the instruction is executed for them. Members that have
  // exited are among them: they were waited for, until then.
  virtual void warp_met(Context&, unsigned, LaneMask) {}
};

// From now on execute() of context.monitor stands for the handler at pc.
inline void stand_in(Context& context, Pc pc) {
  context.handlers[pc] = [](Context& own, const Instruction& instruction, const Lanes& lanes) {
    own.monitor->execute(own, instruction, lanes);
  };
}

}  // namespace heddle
