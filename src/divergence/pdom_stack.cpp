#include "divergence/pdom_stack.h"

#include <bit>

namespace heddle {

void PdomStack::block_start(BlockSlot slot) {
  for (unsigned i = 0; i < host_.warps_of(host_.block(slot)); ++i) {
    const Group group = host_.static_warp(slot, i);
    const WarpId id = host_.open(slot, 0, group);
    if (stacks_.size() <= id) stacks_.resize(id + 1U);
    stacks_[id].start(group.mask, rules_);
    settle(id);
  }
}

void PdomStack::resolve(WarpId id, std::span<const Outcome> outcomes) {
  Stack& stack = stacks_[id];
  if (outcomes.empty()) {  // the slot at a join
    stack.leave_join();
    return settle(id);
  }
  const Outcome& outcome = outcomes[0];
  const Pc pc = host_.warp(id).pc;
  switch (outcome.kind) {
    case Outcome::Kind::Exit: stack.exit(outcome.group.mask); break;
    case Outcome::Kind::Call: stack.call(pc, outcome.targets); break;
    case Outcome::Kind::Return:
      require(outcome.targets.size() == 1, "threads of one stack entry return to different places");
      stack.leave(outcome.targets[0].pc);
      break;
    case Outcome::Kind::Branch:
    case Outcome::Kind::Indirect:
      if (outcome.targets.size() == 1)
        stack.top().at.pc = outcome.targets[0].pc;
      else
        stack.part(host_.kernel(), pc, outcome.targets);
      break;
  }
  settle(id);
}

void PdomStack::arrive(WarpId id) {
  stacks_[id].top().at.pc = host_.warp(id).pc;
  settle(id);
}

void PdomStack::settle(WarpId id) {
  Stack& stack = stacks_[id];
  if (stack.size() > entries_) {
    entries_ = stack.size();
    deepest_ = std::max(deepest_, stack.depth());
  }
  stack.settle();
  if (stack.empty()) return host_.close(id);
  const Stack::Entry& top = stack.top();
  Warp& warp = host_.warp(id);
  warp.pc = top.at.pc;
  warp.depth = static_cast<uint8_t>(std::min(top.at.depth, 255U));
  host_.set_state(id, WarpState::Ready);
  warp.ask_at = stack.ask_at(warp.pc);
  const unsigned row = warp.group.row;
  warp.group = stack.at_join() ? Group::phantom(top.mask.count()) : Group::rows(row, top.mask);
  warp.group.row = static_cast<uint16_t>(row);
}

void PdomStack::explain(BlockSlot slot, std::string& text) const {
  for (WarpId id = 0; id < host_.size(); ++id) {
    const Warp& warp = host_.warp(id);
    if (warp.state == WarpState::Free || warp.block != slot) continue;
    const auto hexadecimal = [](LaneMask mask) { return fmt::format("{:08x}", mask.bits()); };
    text += fmt::format("  warp {}:{}\n", id, stacks_[id].text(warp.pc, hexadecimal));
  }
}

StateCost PdomStack::cost() const {
  // An entry holds two PCs and a mask, and with likely-convergence points a third PC and a position.
  const uint64_t likely_bits = rules_.likely ? 32 + static_cast<uint64_t>(std::bit_width(entries_ - 1)) : 0;
  StateCost cost{static_cast<unsigned>(deepest_), entries_ * (64 + host_.warp_size() + likely_bits), false};
  for (const Stack& stack : stacks_) cost.likely_merges += stack.likely_merges();
  return cost;
}

}  // namespace heddle
