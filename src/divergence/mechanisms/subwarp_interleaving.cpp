#include "divergence/mechanisms/subwarp_interleaving.h"

#include <algorithm>
#include <utility>

namespace heddle {

SubwarpInterleaving::SubwarpInterleaving(Host& host, const Config& config)
    : Its(host, config),
      stalled_share_(static_cast<unsigned>(config.integer("stalled_share"))),
      switch_cycles_(static_cast<unsigned>(config.integer("switch_cycles"))),
      subwarps_(static_cast<size_t>(config.integer("subwarps"))),
      yields_at_loads_(config.boolean("si_yield")) {}

bool SubwarpInterleaving::gives_way_behind(Pc load) const {
  const Instruction& instruction = host_.kernel().code[load];
  const bool from_memory = instruction.op == Op::Tex || instruction.op == Op::Gather ||
                           (instruction.op == Op::Atom && instruction.dst_count > 0) || instruction.op == Op::Ld;
  return yields_at_loads_ && host_.timed && from_memory && instruction.space != Space::Shared &&
         instruction.space != Space::Param;
}

void SubwarpInterleaving::issued(WarpId id) {
  if (Warp& warp = host_.warp(id); gives_way_behind(warp.pc)) warp.ask_at = warp.pc + 1;
}

void SubwarpInterleaving::arrive(WarpId id) {
  StaticWarp& warp = of(id);
  const LaneMask who = warp.split.who;
  const bool gives_way = gives_way_behind(host_.warp(id).pc - 1);
  Its::arrive(id);
  if (gives_way && warp.runs && warp.split.who == who && warp.owed.empty() && somebody_can_take_over(warp))
    make_room(warp);
}

bool SubwarpInterleaving::interleave() {
  bool changed = false, enough = false;
  for (StaticWarp& warp : static_warps()) {
    if (warp.pending.empty() || !waits_for_memory(warp) || !somebody_can_take_over(warp)) continue;
    if (!enough && !enough_are_stalled()) return false;
    enough = true;
    changed = make_room(warp) || changed;
  }
  return changed;
}

bool SubwarpInterleaving::make_room(StaticWarp& warp) {
  const WarpId carrier = warp.carrier;
  host_.wake(carrier);  // the machine may know that it waits: no longer
  warp.split.pc = host_.warp(carrier).pc;
  warp.split.stalled = true;
  const LaneMask who = warp.split.who;
  warp.pending.insert(warp.pending.begin(), warp.split);
  warp.runs = false;
  go(warp);
  if (!warp.runs || warp.split.who == who) return false;  // those who took over have come to a barrier at once
  host_.warp(warp.carrier).not_before = host_.now + switch_cycles_;
  ++switches_;
  return true;
}

size_t SubwarpInterleaving::stalled_of(const StaticWarp& warp) {
  return static_cast<size_t>(
      std::count_if(warp.pending.begin(), warp.pending.end(), [](const Split& split) { return split.stalled; }));
}

bool SubwarpInterleaving::somebody_can_take_over(const StaticWarp& warp) const {
  return std::any_of(warp.pending.begin(), warp.pending.end(), [&, stalled = stalled_of(warp) + 1](const Split& split) {
    return can_take_over(warp, split, stalled);
  });
}

bool SubwarpInterleaving::can_take_over(const StaticWarp& warp, const Split& split, size_t stalled) const {
  return !split.yielded && (split.stalled || stalled < subwarps_) &&
         host_.wait_of(split.pc, Group::rows(warp.row, split.who)) == Wait::Nothing;
}

// By the rules of its, but who cannot issue now is left out where others can.
bool SubwarpInterleaving::choose(StaticWarp& warp) {
  const auto can = [&, stalled = stalled_of(warp)](const Split& split) { return can_take_over(warp, split, stalled); };
  const auto cannot = [&](const Split& split) { return !split.yielded && !can(split); };
  const std::vector<Split>& pending = warp.pending;
  if (std::none_of(pending.begin(), pending.end(), cannot) || std::none_of(pending.begin(), pending.end(), can))
    return Its::choose(warp);
  std::vector<Split> all = warp.pending;
  std::erase_if(warp.pending, cannot);
  const bool found = Its::choose(warp);
  std::erase_if(all, [&](const Split& split) { return !(split.who & warp.split.who).empty(); });
  warp.pending = std::move(all);
  return found;
}

bool SubwarpInterleaving::waits_for_memory(const StaticWarp& warp) const {
  if (!warp.runs) return false;
  const Warp& carrier = host_.warp(warp.carrier);
  return carrier.state == WarpState::Ready && host_.wait_of(carrier.pc, carrier.group) == Wait::Memory;
}

bool SubwarpInterleaving::enough_are_stalled() {
  if (stalled_share_ == 0) return true;
  unsigned warps = 0, stalled = 0;
  for (const StaticWarp& warp : static_warps()) {
    if (!warp.runs && warp.meetings.empty()) continue;  // has ended
    ++warps;
    const WarpState state = warp.runs ? WarpState{host_.warp(warp.carrier).state} : WarpState::AtBarrier;
    const bool goes = state == WarpState::InFlight || (state == WarpState::Ready && !waits_for_memory(warp));
    stalled += goes ? 0 : 1;
  }
  return 100 * stalled >= stalled_share_ * warps;
}

StateCost SubwarpInterleaving::cost() const {
  StateCost cost = Its::cost();
  cost.bits_per_warp += subwarps_ * (host_.warp_size() + 2);  // whose it is, and what it does
  return cost;
}

std::vector<Counter> SubwarpInterleaving::counters() const {
  std::vector<Counter> counters = Its::counters();
  counters.push_back({"subwarp_switches", switches_});
  return counters;
}

}  // namespace heddle
