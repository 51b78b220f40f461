// Where threads part and meet: barriers, and control flow across them.
#include <algorithm>

#include "divergence/mechanisms/its.h"

namespace heddle {

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

}  // namespace heddle
