// How far cores that share ports of the network may go, each by itself.
#include <algorithm>

#include "gpu/run_ahead.h"

namespace heddle {
namespace {

constexpr uint64_t kFar = 1 << 20;  // cycles

}  // namespace

// What a port was found to have room for stays true: its cores send no more than that, and the network only takes.
void RunAhead::find_reach(Tick now, CoreCycle end) {
  const CoreCycle from = clocks_.core.at_or_after(now);
  bool changes = false;
  for (unsigned i = 0; i < ports_.size(); ++i) {
    Port& port = ports_[i];
    if (port.reach >= end && !port.tight) continue;
    changes = true;
    port.reach = std::max(port.reach, from + most_cycles(i));
    if (const bool tight = port.reach <= from; tight != port.tight) {
      port.tight = tight;
      system_.vouch(i, !tight);
    }
  }
  if (changes)
    for (Piece& piece : pieces_) limit_by_ports(piece, now);
}

void RunAhead::limit_by_ports(Piece& piece, Tick now) {
  const auto first = static_cast<size_t>(&piece.seats.front() - seats_.data());
  CoreCycle reach = kNever;
  piece.tight = false;
  for (size_t i = first / at_port_; i <= (first + piece.seats.size() - 1) / at_port_; ++i) {
    reach = std::min(reach, ports_[i].reach);
    piece.tight = piece.tight || ports_[i].tight;
  }
  if (piece.tight)
    piece.reach = limit_at(now + 1);
  else if (piece.reach.cycle != reach)
    piece.reach = {clocks_.core.time(reach), reach};
}

// From now on, in which its cores do not fill a port, wherever each of them is by now.
uint64_t RunAhead::most_cycles(unsigned port) const {
  size_t once = 0, each = 0;
  for (size_t core = size_t{port} * at_port_; core < std::min<size_t>((port + 1) * at_port_, seats_.size()); ++core)
    if (seats_[core].site) {
      const Core::Sending sending = seats_[core].core->most_sent();
      once += sending.once;
      each += sending.each;
    }
  const size_t free = system_.free_places(port);
  if (free < once) return 0;
  return each == 0 ? kFar : (free - once) * Core::kSpan / each;
}

}  // namespace heddle
