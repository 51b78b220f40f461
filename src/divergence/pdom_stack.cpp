#include "divergence/pdom_stack.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

void PdomStack::block_start(BlockSlot slot) {
  for (unsigned i = 0; i < host_.warps_of(host_.block(slot)); ++i) {
    const Group group = host_.static_warp(slot, i);
    const WarpId id = host_.open(slot, 0, group);
    if (stacks_.size() <= id) stacks_.resize(id + 1U);
    stacks_[id] = {{{0, 0}, {}, group.mask}};
    settle(id);
  }
}

// The post-dominator at this depth, or where the function's caller goes on.
PdomStack::Point PdomStack::reconvergence_of(const std::vector<Entry>& stack, Pc branch) const {
  const unsigned depth = stack.back().at.depth;
  if (const Pc pc = host_.kernel().reconvergence[branch]; pc != kNoPc) return {pc, depth};
  for (size_t i = stack.size(); i-- > 0;)
    if (stack[i].reconvergence.pc != kNoPc && stack[i].reconvergence.depth < depth) return stack[i].reconvergence;
  return {};
}

void PdomStack::diverge(std::vector<Entry>& stack, Pc branch, std::span<const Target> targets, Point reconvergence) {
  const unsigned depth = stack.back().at.depth;
  if (reconvergence == stack.back().reconvergence) stack.pop_back();
  else stack.back().at = reconvergence;
  const auto push = [&](const Target& path) {
    if (Point{path.pc, depth} != reconvergence) stack.push_back({{path.pc, depth}, reconvergence, path.who});
  };
  // Of a branch the fall-through waits and the taken path runs; of a table the lowest address runs first.
  const auto fall_through = std::find_if(targets.begin(), targets.end(), [&](const Target& t) { return t.pc == branch + 1; });
  if (fall_through != targets.end() && targets.size() == 2) {
    push(*fall_through);
    push(targets[fall_through == targets.begin() ? 1 : 0]);
  } else {
    for (size_t i = targets.size(); i-- > 0;) push(targets[i]);
  }
}

void PdomStack::resolve(WarpId id, std::span<const Outcome> outcomes) {
  std::vector<Entry>& stack = stacks_[id];
  const Outcome& outcome = outcomes[0];
  const Pc pc = host_.warp(id).pc;
  Entry& top = stack.back();
  switch (outcome.kind) {
    case Outcome::Kind::Exit:
      for (Entry& entry : stack) entry.mask = entry.mask.without(outcome.group.mask);
      std::erase_if(stack, [](const Entry& entry) { return entry.mask.empty(); });
      break;
    case Outcome::Kind::Call: {
      const Point back{pc + 1, top.at.depth};
      top.at = back;
      for (size_t i = outcome.targets.size(); i-- > 0;)
        stack.push_back({{outcome.targets[i].pc, back.depth + 1}, back, outcome.targets[i].who});
      break;
    }
    case Outcome::Kind::Return:
      require(outcome.targets.size() == 1, "threads of one stack entry return to different places");
      top.at = {outcome.targets[0].pc, top.at.depth - 1};
      break;
    case Outcome::Kind::Branch:
    case Outcome::Kind::Indirect:
      if (outcome.targets.size() == 1) top.at.pc = outcome.targets[0].pc;
      else diverge(stack, pc, outcome.targets, reconvergence_of(stack, pc));
      break;
  }
  settle(id);
}

void PdomStack::arrive(WarpId id) {
  stacks_[id].back().at.pc = host_.warp(id).pc;
  settle(id);
}

void PdomStack::settle(WarpId id) {
  std::vector<Entry>& stack = stacks_[id];
  deepest_ = std::max(deepest_, static_cast<unsigned>(stack.size()));
  while (!stack.empty() && stack.back().at == stack.back().reconvergence) stack.pop_back();
  if (stack.empty()) return host_.close(id);
  const Entry& top = stack.back();
  Warp& warp = host_.warp(id);
  warp.pc = top.at.pc;
  warp.depth = static_cast<uint8_t>(std::min(top.at.depth, 255U));
  const bool below = top.reconvergence.depth == top.at.depth && top.reconvergence.pc != kNoPc && top.reconvergence.pc > top.at.pc;
  warp.ask_at = below ? top.reconvergence.pc : kNoPc;
  warp.group = Group::rows(warp.group.row, top.mask);
}

void PdomStack::explain(BlockSlot slot, std::string& text) const {
  for (WarpId id = 0; id < host_.size(); ++id) {
    const Warp& warp = host_.warp(id);
    if (warp.state == WarpState::Free || warp.block != slot) continue;
    text += fmt::format("  warp {}:", id);
    for (size_t i = stacks_[id].size(); i-- > 0;) {
      const Entry& entry = stacks_[id][i];
      const Pc pc = i + 1 == stacks_[id].size() ? warp.pc : entry.at.pc;
      const auto rpc = entry.reconvergence.pc == kNoPc ? std::string("-") : std::to_string(entry.reconvergence.pc);
      text += fmt::format(" [pc {} rpc {} mask {:08x}]", pc, rpc, entry.mask.bits());
    }
    text += "\n";
  }
}

StateCost PdomStack::cost() const {
  // An entry holds two PCs and a mask.
  return {deepest_, uint64_t{deepest_} * (64 + host_.warp_size()), false};
}

}  // namespace heddle
