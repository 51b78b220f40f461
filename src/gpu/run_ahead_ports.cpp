// How far cores that share ports of the network may go, each by itself, and which go one after the other.
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
  if (!changes) return;
  for (size_t core = 0; core < pieces_.size(); ++core)
    if (const CoreCycle reach = ports_[core / at_port_].reach; pieces_[core].reach.cycle != reach)
      pieces_[core].reach = {clocks_.core.time(reach), reach};
}

// Those at a port without room, and those whose reads may be joined by such.
void RunAhead::find_turns(Tick now, bool beside) {
  const size_t plenty = system_.certain_for_each();
  const bool may_join =
      together_ > 1 && !beside && all_.asks > plenty;  // beside the memory system all are sure of room
  const bool tight = std::ranges::any_of(ports_, [](const Port& port) { return port.tight; });
  if (!may_join && !tight && !all_.in_turn) return;
  all_.in_turn = false;
  const CoreCycle behind = clocks_.core.after(now);
  for (size_t first = 0; first < pieces_.size(); first += neighbours_) {
    const size_t count = std::min<size_t>(neighbours_, pieces_.size() - first);
    const std::span<Piece> those = std::span(pieces_).subspan(first, count);
    bool in_turn =
        may_join && !std::ranges::all_of(those, [&](const Piece& each) { return certain(each, behind, plenty); });
    for (size_t core = first; tight && core < first + those.size(); core += at_port_)
      in_turn = in_turn || ports_[core / at_port_].tight;
    for (Piece& each : those)
      if (each.in_turn != in_turn) each.in_turn = in_turn;
    all_.in_turn = all_.in_turn || in_turn;
  }
}

// From now on, in which its cores do not fill a port, wherever each of them is by now.
uint64_t RunAhead::most_cycles(unsigned port) const {
  size_t once = 0, each = 0;
  for (size_t core = size_t{port} * at_port_; core < std::min<size_t>((port + 1) * at_port_, pieces_.size()); ++core)
    if (pieces_[core].site) {
      const Core::Sending sending = pieces_[core].core->most_sent();
      once += sending.once;
      each += sending.each;
    }
  const size_t free = system_.free_places(port);
  if (free < once) return 0;
  return each == 0 ? kFar : (free - once) * Core::kSpan / each;
}

}  // namespace heddle
