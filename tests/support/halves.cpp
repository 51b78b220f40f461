#include "support/halves.h"

namespace heddle::test {

void Halves::add() {
  static const bool once = [] {
    add_mechanism({"halves", "tests: the halves of a warp are two splits", kKeys,
                   [](Host& host, const Config& config) -> std::unique_ptr<Mechanism> {
                     return std::make_unique<Halves>(host, config);
                   }});
    return true;
  }();
  static_cast<void>(once);
}

Halves::Stack& Halves::stack(WarpId id) {
  if (stacks_.size() <= id) stacks_.resize(id + 1U);
  return stacks_[id];
}

void Halves::block_start(BlockId block) {
  for (unsigned i = 0; i < host_.warps_of(host_.block(block)); ++i) {
    const Group group = host_.static_warp(block, i);
    LaneMask lower;
    for_each_lane(group.mask, [&](unsigned lane) {
      if (lane % host_.warp_size() < host_.warp_size() / 2) lower.add(lane);
    });
    const WarpId first = host_.open(block, 0, group.part(lower));
    stack(first).start(lower);
    settle(first);
    const LaneMask upper = group.mask.without(lower);
    if (upper.empty()) continue;
    const WarpId second = host_.open_split(first, 0, group.part(upper));
    stack(second).start(upper);
    settle(second);
  }
}

void Halves::resolve(WarpId id, std::span<const Outcome> outcomes) {
  const Outcome& outcome = outcomes[0];
  const Pc pc = host_.warp(id).pc;
  switch (outcome.kind) {
    case Outcome::Kind::Exit: stack(id).exit(outcome.group.mask); break;
    case Outcome::Kind::Call: stack(id).call(pc, outcome.targets); break;
    case Outcome::Kind::Return: stack(id).leave(outcome.targets[0].pc); break;
    case Outcome::Kind::Branch:
    case Outcome::Kind::Indirect:
      if (outcome.targets.size() == 1)
        stack(id).top().at.pc = outcome.targets[0].pc;
      else
        stack(id).diverge(host_.kernel(), pc, outcome.targets);
      break;
  }
  settle(id);
}

void Halves::arrive(WarpId id) {
  stack(id).top().at.pc = host_.warp(id).pc;
  settle(id);
}

void Halves::settle(WarpId id) {
  Stack& own = stack(id);
  own.settle([](Pc) {});
  if (own.empty()) return host_.close(id);
  Warp& warp = host_.warp(id);
  warp.pc = own.top().at.pc;
  warp.depth = static_cast<uint8_t>(own.top().at.depth);
  warp.ask_at = own.ask_at(warp.pc);
  warp.group = Group::rows(warp.group.row, own.top().mask);
  host_.set_state(id, WarpState::Ready);
}

WarpId Halves::companion(WarpId id, const WarpSet& ready) {
  WarpId other = kNoWarp;
  ready.for_each([&](WarpId each) {
    const bool sibling = host_.warp(each).parent == host_.warp(id).parent;
    if (sibling && (host_.warp(each).group.mask & host_.warp(id).group.mask).empty()) other = each;
  });
  return other;
}

// Lanes that have their data leave a split that waits for others.
void Halves::returned(WarpId parent, LaneMask lanes, bool hit) {
  heard.returns.push_back({parent, lanes, host_.now, hit});
  if (!subdivides_) return;
  for (WarpId id{0}; id < host_.size(); ++id) {
    const Warp& warp = host_.warp(id);
    if (warp.state == WarpState::Free || warp.parent != parent || stack(id).size() > 1) continue;
    const LaneMask early = warp.group.mask & lanes, late = warp.group.mask.without(lanes);
    const bool at_load = warp.state == WarpState::InFlight && host_.kernel().code[warp.pc].flow == Flow::Plain;
    if (early.empty() || late.empty() || (!at_load && warp.state != WarpState::Ready)) continue;
    const Pc pc = at_load ? warp.pc + 1 : warp.pc;
    const Group group = warp.group;
    stack(id).start(late);
    host_.warp(id).group = group.part(late);
    const WarpId split = host_.open_split(id, pc, group.part(early));
    stack(split).start(early);
    stack(split).top().at.pc = pc;
    settle(split);
    return;
  }
}

}  // namespace heddle::test
