#include "divergence/mechanisms/its.h"

#include <algorithm>

namespace heddle {
Its::Its(Host& host, const Config& config)
    : Mechanism(host),
      plan_(place_barriers(host.kernel(),
                           config.text("joins") == "ptxas" ? JoinRule::Assembler : JoinRule::PostDominators)),
      slots_(config.boolean("barrier_slots")),
      wait_cycles_(static_cast<unsigned>(config.integer("wait_cycles"))),
      meetings_(host.kernel()) {
  const Kernel& kernel = host.kernel();
  yields_.assign(kernel.code.size(), false);
  if (config.text("yield") == "spin") {
    for (uint32_t header : kernel.spin_loops) yields_[kernel.blocks[header].begin] = true;
    for (Pc pc = 0; pc < kernel.code.size(); ++pc)
      if (kernel.code[pc].op == Op::Sleep) yields_[pc] = true;
  }
  next_stop_.assign(kernel.code.size() + 1, kNoPc);
  for (Pc pc = static_cast<Pc>(kernel.code.size()); pc-- > 0;) {
    const bool falls_in = pc > 0 && kernel.block_of[pc - 1] != kernel.block_of[pc] &&
                          !plan_.is_quiet(kernel.block_of[pc - 1], kernel.block_of[pc]);
    next_stop_[pc] = falls_in || yields_[pc] || meetings_.at(pc) ? pc : next_stop_[pc + 1];
  }
}

void Its::own(WarpId id, size_t index) {
  if (owner_.size() <= id) owner_.resize(id + 1U);
  owner_[id] = index;
}

Pc Its::pc_of(uint32_t node) const {
  if (node >= plan_.nodes.size()) return node - static_cast<uint32_t>(plan_.nodes.size());
  while (node >= host_.kernel().blocks.size()) node = plan_.nodes[node].edges[0].node;
  return host_.kernel().blocks[node].begin;
}

// ---- what the machine tells

void Its::block_start(BlockId block) {
  const BlockShape& shape = host_.block(block);
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const Group group = host_.static_warp(block, i);
    const size_t index = shape.first / host_.warp_size() + i;
    if (warps_.size() <= index) warps_.resize(index + 1);
    StaticWarp& warp = warps_[index];
    warp = {};
    warp.block = block;
    warp.row = group.row;
    warp.carrier = host_.open(block, 0, group);
    own(warp.carrier, index);
    warp.runs = true;
    warp.split.who = group.mask;
    go(warp);
  }
}

void Its::resolve(WarpId id, std::span<const Outcome> outcomes) {
  StaticWarp& warp = of(id);
  if (outcomes.empty()) {  // the slot of a barrier instruction
    warp.owed.pop_back();
    return go(warp);
  }
  const Outcome& outcome = outcomes[0];
  const Pc pc = host_.warp(id).pc;
  if (outcome.kind == Outcome::Kind::Exit) {
    for (Barrier& barrier : warp.barriers) {
      barrier.members = barrier.members.without(outcome.group.mask);
      barrier.arrived = barrier.arrived.without(outcome.group.mask);
    }
    for (Split& freed : take_complete(warp)) warp.pending.push_back(freed);
    warp.runs = false;
    return go(warp);
  }
  warp.split.pc = pc;
  set_barriers(warp, host_.kernel().block_of[pc]);
  if (outcome.kind == Outcome::Kind::Call) enter(warp, kNowhere, return_node(pc + 1));
  part(warp, outcome.kind, outcome.targets);
  go(warp);
}

void Its::arrive(WarpId id) {
  StaticWarp& warp = of(id);
  const Pc pc = host_.warp(id).pc;
  move(warp, warp.split, pc - 1, pc);
  compete(warp, take_complete(warp));
  go(warp);
}

void Its::release(WarpId id) {
  StaticWarp& warp = of(id);
  const Pc pc = host_.warp(id).pc;
  const auto found = std::find_if(warp.meetings.begin(), warp.meetings.end(),
                                  [&](const Meeting& meeting) { return meeting.warp == id; });
  Split split = found == warp.meetings.end() ? warp.split : found->split;
  if (found == warp.meetings.end())
    warp.runs = false;
  else
    warp.meetings.erase(found);
  move(warp, split, pc, pc + 1);
  warp.missed = {};
  split.met = true;
  warp.pending.push_back(split);
  for (Split& freed : take_complete(warp)) warp.pending.push_back(freed);
  if (warp.carrier == kNoWarp) warp.carrier = id;
  if (warp.carrier == id)
    host_.set_state(id, WarpState::Held);
  else
    host_.close(id);
  met_.push_back(owner_[id]);
}

// The running split has come to a warp-wide instruction that others have not: they go on, if a barrier holds them.
void Its::misses(WarpId id, LaneMask missing) {
  StaticWarp& warp = of(id);
  warp.missed |= missing;
  if (warp.runs && warp.carrier == id) {
    warp.meetings.push_back({id, warp.split});
    warp.carrier = kNoWarp;
    warp.runs = false;
  }
  if (!warp.runs) go(warp);
}

void Its::released() {
  const std::vector<size_t> met = std::move(met_);
  met_.clear();
  for (size_t index : met)
    if (!warps_[index].runs && !warps_[index].pending.empty()) go(warps_[index]);
}

// ---- barriers

void Its::set_barriers(StaticWarp& warp, uint32_t block) {
  for (uint32_t join : plan_.nodes[block].sets) enter(warp, join, plan_.joins[join].node);
}

// Who is not yet in a barrier of that place and call.
void Its::enter(StaticWarp& warp, uint32_t join, uint32_t node) {
  LaneMask members = warp.split.who;
  for (const Barrier& barrier : warp.barriers)
    if (barrier.node == node && barrier.depth == warp.split.depth) members = members.without(barrier.members);
  const bool branch = join != kNowhere && plan_.joins[join].kind != BarrierPlan::Kind::Loop;
  if (branch || !members.empty()) owe(warp, warp.split.who);  // a loop's is set in front of it
  if (members.empty()) return;
  warp.barriers.push_back({join, node, warp.split.depth, members, {}});
  most_barriers_ = std::max(most_barriers_, warp.barriers.size());
  spilled_ += warp.barriers.size() > kRegisters ? 1 : 0;
}

void Its::leave(StaticWarp& warp, const BarrierPlan::Edge& edge, LaneMask who, unsigned depth) {
  if (edge.leaves.empty()) return;
  for (Barrier& barrier : warp.barriers) {
    if (barrier.depth != depth) continue;
    if (std::find(edge.leaves.begin(), edge.leaves.end(), barrier.join) == edge.leaves.end()) continue;
    if (!(barrier.members & who).empty()) owe(warp, who);
    barrier.members = barrier.members.without(who);
    barrier.arrived = barrier.arrived.without(who);
  }
}

LaneMask Its::yielded(const StaticWarp& warp) const {
  LaneMask mask;
  for (const Split& split : warp.pending)
    if (split.yielded) mask |= split.who;
  return mask;
}

// Barriers that need not wait for anybody any more: their threads, behind them.
std::vector<Its::Split> Its::take_complete(StaticWarp& warp) {
  std::vector<Split> freed;
  if (warp.barriers.empty()) return freed;
  const LaneMask gone = yielded(warp);
  std::erase_if(warp.barriers, [&](const Barrier& barrier) {
    if (barrier.members.empty()) return true;
    if (barrier.arrived.empty() || !barrier.members.without(barrier.arrived).without(gone).empty()) return false;
    Split split;
    split.pc = pc_of(barrier.node);
    split.node = barrier.node;
    split.depth = barrier.depth;
    split.who = barrier.arrived;
    split.passed = true;
    freed.push_back(split);
    return true;
  });
  return freed;
}

// ---- control flow

// From one instruction to another of the same function.
void Its::move(StaticWarp& warp, Split& split, Pc from, Pc to) {
  const Kernel& kernel = host_.kernel();
  split.pc = to;
  split.node = kNowhere;
  split.passed = false;
  const uint32_t block = kernel.block_of[from], next = kernel.block_of[to];
  if (to != kernel.blocks[next].begin) return;
  if (from + 1 == to && kernel.code[from].flow != Flow::Branch) {  // falls into the next block
    const Split running = std::exchange(warp.split, split);
    set_barriers(warp, block);
    split = std::exchange(warp.split, running);
  }
  const BarrierPlan::Edge& edge = plan_.edge(block, next);
  split.node = edge.node;
  leave(warp, edge, split.who, split.depth);
}

// Of the running split and those that became free, fewer threads first.
void Its::compete(StaticWarp& warp, std::vector<Split> freed) {
  for (Split& other : freed) {
    Split& split = warp.split;
    const unsigned threads = split.who.count(), others = other.who.count();
    if (others < threads || (others == threads && other.pc < split.pc)) std::swap(split, other);
    warp.pending.push_back(other);
    warp.remembered = other.who;
  }
}

void Its::part(StaticWarp& warp, Outcome::Kind kind, std::span<const Target> targets) {
  const Kernel& kernel = host_.kernel();
  const Split from = warp.split;
  std::vector<Split> parts;
  for (const Target& target : targets) {
    Split split = from;
    split.who = target.who;
    split.asked = kNoPc;
    if (kind == Outcome::Kind::Call || kind == Outcome::Kind::Return) {
      const bool call = kind == Outcome::Kind::Call;
      split.depth = call ? from.depth + 1 : from.depth - 1;
      split.pc = target.pc;
      split.node = call ? kernel.block_of[target.pc] : return_node(target.pc);
      split.passed = call;
    } else {
      move(warp, split, from.pc, target.pc);
    }
    parts.push_back(split);
  }
  if (parts.size() == 1) {
    warp.split = parts[0];
    return compete(warp, take_complete(warp));
  }
  parts = in_order(from.pc, kind, std::move(parts));
  warp.split = parts[0];
  for (size_t i = parts.size(); i-- > 1;) warp.pending.push_back(parts[i]);
  warp.remembered = parts[1].who;
  for (Split& freed : take_complete(warp)) warp.pending.push_back(freed);
}

std::vector<Its::Split> Its::in_order(Pc from, Outcome::Kind kind, std::vector<Split> parts) const {
  const uint32_t block = host_.kernel().block_of[from];
  if (kind == Outcome::Kind::Branch) {
    const unsigned first = parts[0].who.count(), second = parts[1].who.count();
    const bool swap =
        first == second ? plan_.first_of_equal[block] != host_.kernel().block_of[parts[0].pc] : second < first;
    if (swap) std::swap(parts[0], parts[1]);
    return parts;
  }
  std::sort(parts.begin(), parts.end(), [](const Split& a, const Split& b) { return a.who.lowest() < b.who.lowest(); });
  std::vector<Split> order, last;
  unsigned rest = 0;
  for (const Split& split : parts) rest += split.who.count();
  for (size_t i = 0; i < parts.size(); ++i) {
    rest -= parts[i].who.count();
    if (i + 1 == parts.size() || parts[i].who.count() <= rest) {
      order.push_back(parts[i]);
      continue;
    }
    last.insert(last.begin(), parts[i]);  // larger than all others together: that of the next lane runs first
    order.push_back(parts[++i]);
    rest -= parts[i].who.count();
  }
  order.insert(order.end(), last.begin(), last.end());
  return order;
}

// ---- who runs

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

// ---- for a person

State Its::state(BlockId block) const {
  const BlockShape& shape = host_.block(block);
  State state;
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const StaticWarp& warp = warps_[shape.first / host_.warp_size() + i];
    StateRow row{"static warp", i, {}};
    const auto lanes = [&](LaneMask who) { return lanes_of_warp(host_.warp_size(), who); };
    const auto add = [&](std::string_view word, Pc pc, const Split& split) {
      row.entries.push_back(
          {word, {{"pc", CodeAddress{pc}}, {"depth", uint64_t{split.depth}}, {"mask", lanes(split.who)}}});
    };
    if (warp.runs) add("runs", host_.warp(warp.carrier).pc, warp.split);
    for (size_t k = warp.pending.size(); k-- > 0;) {
      const Split& split = warp.pending[k];
      add(split.yielded ? "yielded" : split.stalled ? "stalled" : "waits", split.pc, split);
    }
    for (const Meeting& meeting : warp.meetings) add("meets", meeting.split.pc, meeting.split);
    for (const Barrier& barrier : warp.barriers)
      row.entries.push_back({"barrier",
                             {{"pc", CodeAddress{pc_of(barrier.node)}},
                              {"depth", uint64_t{barrier.depth}},
                              {"mask", lanes(barrier.members)},
                              {"arrived", lanes(barrier.arrived)}}});
    state.push_back(std::move(row));
  }
  return state;
}

StateCost Its::cost() const {
  // Barrier registers, and per thread a PC and what it is doing.
  const uint64_t width = host_.warp_size();
  return {static_cast<unsigned>(std::max<size_t>(most_barriers_, 1)), kRegisters * width + width * (32 + 3), true};
}

std::vector<Counter> Its::counters() const { return {{"barriers_spilled", spilled_}}; }

}  // namespace heddle
