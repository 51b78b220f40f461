#include "divergence/mechanisms/pdom.h"

#include <bit>

namespace heddle {

void Pdom::block_start(BlockSlot slot) {
  for (unsigned i = 0; i < host_.warps_of(host_.block(slot)); ++i) {
    const Group group = host_.static_warp(slot, i);
    const WarpId id = host_.open(slot, 0, group);
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
  if (host_.scores && !outcome.targets.empty() && outcome.kind != Outcome::Kind::Return) {
    branch_scored(id, outcome);
    return settle(id);
  }
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

void Pdom::arrive(WarpId id) {
  stacks_[id].top().at.pc = host_.warp(id).pc;
  settle(id);
}

void Pdom::settle(WarpId id) {
  Stack& stack = stacks_[id];
  note_depth(stack);
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

void Pdom::note_depth(const Stack& stack) {
  if (stack.size() <= entries_) return;
  size_t alone = 0;
  for (size_t i = 0; i < stack.size(); ++i) alone += stack[i].extra.alone ? 1 : 0;
  if (stack.size() - alone <= entries_) return;
  entries_ = stack.size() - alone;
  deepest_ = std::max(deepest_, stack.depth() - alone);
}

// ---- scores

namespace {

uint64_t way_behind(uint64_t way, Pc branch, Pc target) {
  uint64_t mixed = way ^ (uint64_t{branch} << 32 | target);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31);
}

}  // namespace

// As resolve(), with entries for every path; the old top goes another way from here too.
void Pdom::branch_scored(WarpId id, const Outcome& outcome) {
  Stack& stack = stacks_[id];
  const Pc branch = host_.warp(id).pc;
  if (outcome.kind != Outcome::Kind::Call && !host_.kernel().may_diverge(branch)) {
    host_.scores->cannot_part(false);
    stack.top().at.pc = outcome.targets[0].pc;
    return;
  }
  if (outcome.kind != Outcome::Kind::Call) note_arrival(id, outcome);
  std::vector<ScoredPath> paths = scored_paths(stack, branch, outcome);
  if (outcome.kind == Outcome::Kind::Call)
    stack.call(branch, std::span(paths));
  else
    stack.part(host_.kernel(), branch, std::span(paths));
}

auto Pdom::scored_paths(Stack& stack, Pc branch, const Outcome& outcome) const -> std::vector<ScoredPath> {
  const Stack::Entry& top = stack.top();
  const uint64_t way = top.extra.hash;
  const bool replaces = stack.reconvergence_of(host_.kernel(), branch) == top.reconvergence;
  const bool alone = outcome.kind != Outcome::Kind::Call && outcome.targets.size() == 1 &&
                     (!replaces || top.extra.alone);  // where it takes the top's place, it is what the top was
  std::vector<ScoredPath> paths;
  for (const Target& target : outcome.targets)
    paths.push_back({target.pc, target.who, {way_behind(way, branch, target.pc), alone}});
  stack.top().extra.hash = way_behind(way, branch, kNoPc);
  return paths;
}

void Pdom::note_arrival(WarpId id, const Outcome& outcome) {
  const Warp& warp = host_.warp(id);
  const Stack& stack = stacks_[id];
  if (arrivals_.size() <= warp.block) arrivals_.resize(warp.block + 1U);
  arrivals_[warp.block][way_behind(stack.top().extra.hash, warp.pc, kNoPc - 1)].push_back(
      arrival_of(host_, warp.block, outcome, stack.met_at(stack.reconvergence_of(host_.kernel(), warp.pc)), false));
}

void Pdom::block_end(BlockSlot slot) {
  if (arrivals_.size() <= slot) return;
  for (const auto& [way, arrivals] : arrivals_[slot]) host_.scores->branch(arrivals);
  arrivals_[slot].clear();
}

void Pdom::explain(BlockSlot slot, std::string& text) const {
  for (WarpId id = 0; id < host_.size(); ++id) {
    const Warp& warp = host_.warp(id);
    if (warp.state == WarpState::Free || warp.block != slot) continue;
    const auto hexadecimal = [](LaneMask mask) { return fmt::format("{:08x}", mask.bits()); };
    text += fmt::format("  warp {}:{}\n", id, stacks_[id].text(warp.pc, hexadecimal));
  }
}

StateCost Pdom::cost() const {
  // An entry holds two PCs and a mask, and with likely-convergence points a third PC and a position.
  const uint64_t likely_bits = rules_.likely ? 32 + static_cast<uint64_t>(std::bit_width(entries_ - 1)) : 0;
  StateCost cost{static_cast<unsigned>(deepest_), entries_ * (64 + host_.warp_size() + likely_bits), false};
  for (const Stack& stack : stacks_) cost.likely_merges += stack.likely_merges();
  return cost;
}

}  // namespace heddle
