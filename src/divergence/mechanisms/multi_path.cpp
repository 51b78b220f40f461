#include "divergence/mechanisms/multi_path.h"

namespace heddle {

// The first of the queue; who waits for others is not in its way.
void MultiPath::choose(StaticWarp& own) {
  bool found = false;
  for (const WarpId id : own.splits) {
    split(id).goes = !found && !split(id).meets;
    if (!split(id).goes) continue;
    found = true;
    split(id).fresh = false;
  }
}

void MultiPath::jumped(StaticWarp& own, WarpId id) {
  if (all_go() || own.splits.size() == 1) return;
  std::erase(own.splits, id);
  own.splits.push_back(id);
}

// Where it keeps its place in the queue, and nobody takes it in.
std::optional<Pc> MultiPath::goes_on(WarpId id, Pc pc) const {
  const bool keeps_place = all_go() || of(id).splits.size() == 1 || pc == host_.warp(id).pc + 1;
  return keeps_place && !early_ ? passes_others(id, pc) : std::nullopt;
}

bool MultiPath::join_sibling(StaticWarp& own, WarpId, uint32_t join, const CodePoint& at, LaneMask who) {
  if (!early_) return false;
  for (const WarpId id : own.splits) {
    Warp& warp = host_.warp(id);
    if (!split(id).fresh || split(id).join != join || warp.pc != at.pc || split(id).depth != at.depth) continue;
    warp.group = Group::rows(own.row, warp.group.mask | who);
    ++early_merges_;
    return true;
  }
  return false;
}

StateCost MultiPath::cost() const {
  const unsigned width = host_.warp_size();
  const uint64_t bits = most_splits() * (64 + 5 + width) + most_joins() * (64 + 5 + 2 * width);
  return {static_cast<unsigned>(most_joins() + 1), bits, false};
}

std::vector<Counter> MultiPath::counters() const {
  if (!early_) return {};
  return {{"early_merges", early_merges_}};
}

}  // namespace heddle
