// How far cores that share ports of the network may go, each by itself.
#include <algorithm>

#include "gpu/run_ahead.h"

namespace heddle {
namespace {

constexpr uint64_t kFar = 1 << 20;  // cycles

}  // namespace

// What a port was found to have room for stays true: its cores send no more than that, and the network only takes.
void RunAhead::find_reach(Tick now, CoreCycle end) {
  if (ports_.empty()) return;
  const CoreCycle from = clocks_.core.at_or_after(now);
  for (unsigned i = 0; i < ports_.size(); ++i) {
    Port& port = ports_[i];
    if (port.reach < end) port.reach = std::max(port.reach, from + most_cycles(i));
    if (const bool tight = port.reach <= from; tight != port.tight) {
      port.tight = tight;
      system_.vouch(i, !tight);
    }
  }
  const Limit this_cycle = limit_at(now + 1);
  for (Piece& piece : pieces_) {
    CoreCycle reach = kNever;
    piece.tight = false;
    for (unsigned i = piece.first / at_port_; i <= (piece.end - 1) / at_port_; ++i) {
      reach = std::min(reach, ports_[i].reach);
      piece.tight = piece.tight || ports_[i].tight;
    }
    if (piece.tight)
      piece.reach = this_cycle;
    else if (piece.reach.cycle != reach)
      piece.reach = {clocks_.core.time(reach), reach};
  }
}

// From now on, in which its cores do not fill a port, wherever each of them is by now.
uint64_t RunAhead::most_cycles(unsigned port) const {
  const unsigned last = std::min((port + 1) * at_port_, static_cast<unsigned>(sites_.size())) - 1;
  uint64_t once = 0, each = 0;
  for (unsigned i = port * at_port_ / together_; i <= last / together_; ++i) {
    once += pieces_[i].sending.once;
    each += pieces_[i].sending.each;
  }
  const size_t free = system_.free_places(port);
  if (free < once) return 0;
  return each == 0 ? kFar : (free - once) * Core::kSpan / each;
}

}  // namespace heddle
