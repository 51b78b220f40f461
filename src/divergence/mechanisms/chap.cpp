#include "divergence/mechanisms/chap.h"

#include <fmt/format.h>

namespace heddle {

std::vector<LaneMask>& Chap::Stacks::of(Region::Kind kind) {
  return kind == Region::Kind::Loop || kind == Region::Kind::Exit ? loops : conditionals;
}

void Chap::start(WarpId id, LaneMask) {
  if (stacks_.size() <= id) stacks_.resize(id + 1U);
  stacks_[id].conditionals.clear();
  stacks_[id].loops.clear();
}

void Chap::enter(WarpId id, LaneMask active, Region::Kind kind) { stacks_[id].of(kind).push_back(active); }

// They stay in the entry of the last region they leave, and in none of those inside of it.
void Chap::leave(WarpId id, LaneMask threads, uint32_t levels, uint32_t, uint32_t around) {
  Stacks& stacks = stacks_[id];
  auto conditional = stacks.conditionals.rbegin(), loop = stacks.loops.rbegin();
  for (uint32_t region = around; --levels > 0;) {
    const Region& inner = structure().regions[region];
    LaneMask& mask = &stacks.of(inner.kind) == &stacks.loops ? *loop++ : *conditional++;
    mask = mask.without(threads);
    region = structure().items[inner.begin].around;
  }
}

LaneMask Chap::join(WarpId id, LaneMask, Region::Kind kind, uint32_t) {
  std::vector<LaneMask>& stack = stacks_[id].of(kind);
  const LaneMask mask = stack.back();
  stack.pop_back();
  return mask;
}

LaneMask Chap::again(WarpId id, uint32_t) {
  std::vector<LaneMask>& loops = stacks_[id].loops;
  const LaneMask mask = loops.back();
  if (mask.empty()) loops.pop_back();
  return mask;
}

void Chap::exit(WarpId id, LaneMask threads) {
  for (LaneMask& mask : stacks_[id].conditionals) mask = mask.without(threads);
  for (LaneMask& mask : stacks_[id].loops) mask = mask.without(threads);
}

void Chap::add_waiting(WarpId id, std::vector<StateEntry>& entries) const {
  const auto add = [&](std::string_view word, const std::vector<LaneMask>& stack) {
    StateEntry entry{word, {}};
    for (LaneMask mask : stack) entry.fields.push_back({"mask", lanes_of_warp(host_.warp_size(), mask)});
    entries.push_back(std::move(entry));
  };
  add("conditionals", stacks_[id].conditionals);
  add("loops", stacks_[id].loops);
}

StateCost Chap::cost() const {
  // A mask per region and the active one, the PC, and a return address per call.
  return {deepest_regions(),
          (uint64_t{deepest_regions()} + 1) * host_.warp_size() + 32 * (1 + uint64_t{deepest_calls()}), false};
}

}  // namespace heddle
