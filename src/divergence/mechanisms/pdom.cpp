#include "divergence/mechanisms/pdom.h"

#include <bit>

namespace heddle {

void Pdom::block_start(BlockId block) {
  for (unsigned i = 0; i < host_.warps_of(host_.block(block)); ++i) {
    const Group group = host_.static_warp(block, i);
    const WarpId id = host_.open(block, 0, group);
    if (stacks_.size() <= id) stacks_.resize(id + 1U);
    stacks_[id].start(group.mask, rules_);
    settle(id);
  }
}

void Pdom::resolve(WarpId id, std::span<const Outcome> outcomes) {
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
        stack.diverge(host_.kernel(), pc, outcome.targets);
      break;
  }
  settle(id);
}

void Pdom::arrive(WarpId id) {
  stacks_[id].top().at.pc = host_.warp(id).pc;
  settle(id);
}

void Pdom::settle(WarpId id) {
  Stack& stack = stacks_[id];
  note_depth(stack);
  stack.settle([&](Pc at) { tell_likely_merge(host_, host_.warp(id).block, at); });
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

void Pdom::note_depth(const Stack& stack) {
  if (stack.size() <= entries_) return;
  entries_ = stack.size();
  deepest_ = std::max(deepest_, stack.depth());
}

State Pdom::state(BlockId block) const {
  State state;
  host_.warps_in(block).for_each([&](WarpId id) {
    state.push_back({"warp", id, stacks_[id].state(host_.warp(id).pc, [&](LaneMask mask) {
                       return lanes_of_warp(host_.warp_size(), mask);
                     })});
  });
  return state;
}

StateCost Pdom::cost() const {
  // An entry holds two PCs and a mask, and with likely-convergence points a third PC and a position.
  const uint64_t likely_bits = rules_.likely ? 32 + static_cast<uint64_t>(std::bit_width(entries_ - 1)) : 0;
  return {static_cast<unsigned>(deepest_), entries_ * (64 + host_.warp_size() + likely_bits), false};
}

}  // namespace heddle
