// Which of a warp's splits runs.
#include <algorithm>

#include "divergence/mechanisms/its.h"

namespace heddle {

void Its::go(StaticWarp& warp) {
  for (;;) {
    if (!warp.runs && !choose(warp)) return rest(warp);
    if (come(warp) && pass(warp)) return show(warp);
  }
}

bool Its::come(StaticWarp& warp) {
  for (;;) {
    Split& split = warp.split;
    const uint32_t node = split.node;
    if (node == kNowhere) return true;
    const bool is_return = node >= plan_.nodes.size();
    if (!split.passed && (is_return || plan_.nodes[node].joins)) {
      LaneMask free = split.who;
      owe(warp, split.who);
      for (Barrier& barrier : warp.barriers)
        if (barrier.node == node && barrier.depth == split.depth) {
          barrier.arrived |= barrier.members & split.who;
          free = free.without(barrier.members);
        }
      std::vector<Split> complete = take_complete(warp);
      for (const Split& freed : complete) free |= freed.who;
      if (free.empty()) {
        wait(warp);
        return false;
      }
      split.who = free;
      split.passed = true;
    }
    if (is_return) {  // the call may be the last of its block
      move(warp, split, split.pc - 1, split.pc);
      continue;
    }
    if (node < host_.kernel().blocks.size()) {
      split.node = kNowhere;
      return true;
    }
    const BarrierPlan::Edge& edge = plan_.nodes[node].edges[0];
    leave(warp, edge, split.who, split.depth);
    split.node = edge.node;
    split.passed = false;
    compete(warp, take_complete(warp));
  }
}

// Who comes last pays in the machine code of what stands there.
void Its::wait(StaticWarp& warp) {
  warp.runs = false;
  if (host_.kernel().costs.empty() || warp.carrier == kNoWarp) return;
  CoreCycle& not_before = host_.warp(warp.carrier).not_before;
  not_before = std::max(not_before, host_.now + wait_cycles_);
  ++host_.waits_at_meetings;
}

bool Its::pass(StaticWarp& warp) {
  Split& split = warp.split;
  const Pc pc = split.pc;
  if (!warp.owed.empty()) return true;  // these first
  const bool alone = warp.pending.empty();
  if (yields_[pc] && split.asked != pc) {
    split.asked = pc;
    if (alone && warp.barriers.empty()) return true;
    split.yielded = split.spent = true;
    warp.yielded_last = split.who;
    warp.pending.push_back(split);
    warp.runs = false;
    for (Split& freed : take_complete(warp)) warp.pending.push_back(freed);
    return false;
  }
  if (!meetings_.at(pc) || alone) return true;
  show(warp);
  warp.meetings.push_back({warp.carrier, split});
  warp.carrier = kNoWarp;
  warp.runs = false;
  return false;
}

size_t Its::next_pending(const StaticWarp& warp) const {
  const std::vector<Split>& pending = warp.pending;
  size_t found = pending.size();
  for (size_t i = 0; i < pending.size(); ++i) {  // from a meeting: the larger, then the higher address
    if (!pending[i].met) continue;
    if (found == pending.size()) found = i;
    const unsigned threads = pending[i].who.count(), most = pending[found].who.count();
    if (threads > most || (threads == most && pending[i].pc > pending[found].pc)) found = i;
  }
  for (size_t i = pending.size(); found == pending.size() && i-- > 0;)
    if (!pending[i].yielded) found = i;
  if (found < pending.size()) return found;
  for (size_t i = 0; i < pending.size(); ++i)
    if (!pending[i].spent && (found == pending.size() || pending[i].who.lowest() < pending[found].who.lowest()))
      found = i;
  return found;
}

Its::Split Its::take(StaticWarp& warp, size_t index, bool with_all_there) {
  Split taken = warp.pending[index];
  warp.pending.erase(warp.pending.begin() + static_cast<std::ptrdiff_t>(index));
  if (with_all_there)
    std::erase_if(warp.pending, [&](const Split& other) {
      if (other.yielded || !other.is_at(taken)) return false;
      taken.who |= other.who;
      return true;
    });
  taken.met = taken.yielded = taken.stalled = false;
  return taken;
}

bool Its::choose(StaticWarp& warp) {
  std::vector<Split>& pending = warp.pending;
  if (pending.empty()) let_go(warp);
  if (pending.empty()) return false;
  const LaneMask remembered = std::exchange(warp.remembered, LaneMask{});
  const bool meeting = std::any_of(pending.begin(), pending.end(), [](const Split& split) { return split.met; });
  const auto next = std::find_if(pending.begin(), pending.end(), [&](const Split& split) {
    return !remembered.empty() && split.who == remembered && !split.yielded;
  });
  if (next != pending.end() && !meeting) {
    warp.split = take(warp, static_cast<size_t>(next - pending.begin()), false);
  } else {
    size_t index = next_pending(warp);
    if (index == pending.size()) {  // all have yielded: another round
      for (Split& split : pending) split.spent = split.who == warp.yielded_last && pending.size() > 1;
      index = next_pending(warp);
      for (Split& split : pending) split.spent = false;
    }
    warp.split = take(warp, index, !pending[index].yielded && !pending[index].met);
  }
  warp.runs = true;
  if (warp.carrier != kNoWarp) return true;
  warp.carrier = host_.open_split(warp.meetings[0].warp, warp.split.pc, Group::rows(warp.row, warp.split.who));
  own(warp.carrier, owner_[warp.meetings[0].warp]);
  return true;
}

void Its::let_go(StaticWarp& warp) {
  const bool meeting = !warp.meetings.empty();
  const auto arrived = [&](bool any) {
    return std::find_if(warp.barriers.rbegin(), warp.barriers.rend(), [&](const Barrier& barrier) {
      const bool branch = barrier.join == kNowhere || plan_.joins[barrier.join].kind == BarrierPlan::Kind::Branch;
      return !(meeting ? barrier.arrived & warp.missed : barrier.arrived).empty() && (any || !branch);
    });
  };
  auto found = arrived(false);
  if (found == warp.barriers.rend()) found = arrived(true);
  if (found == warp.barriers.rend()) return;
  found->members = found->arrived;
  for (Split& freed : take_complete(warp)) warp.pending.push_back(freed);
}

void Its::show(StaticWarp& warp) {
  const Split& split = warp.split;
  Warp& carrier = host_.warp(warp.carrier);
  carrier.pc = split.pc;
  carrier.depth = static_cast<uint8_t>(std::min(split.depth, 255U));
  carrier.group = warp.owed.empty() ? Group::rows(warp.row, split.who) : Group::phantom(warp.owed.back());
  carrier.group.row = static_cast<uint16_t>(warp.row);
  carrier.ask_at = next_stop_[split.pc + 1];
  host_.set_state(warp.carrier, WarpState::Ready);
}

void Its::rest(StaticWarp& warp) {
  if (warp.carrier == kNoWarp) return;
  host_.close(warp.carrier);
  warp.carrier = kNoWarp;
}

}  // namespace heddle
