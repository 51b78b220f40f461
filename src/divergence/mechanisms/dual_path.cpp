#include "divergence/mechanisms/dual_path.h"

#include <algorithm>

namespace heddle {

void DualPath::choose(StaticWarp& own) {
  unsigned top = 0;
  for (const WarpId id : own.splits)
    if (!split(id).meets) top = std::max(top, split(id).entry);
  for (const WarpId id : own.splits) split(id).goes = split(id).entry == top;
}

void DualPath::part(StaticWarp& own, WarpId id, const Paths& paths) {
  const Split parted = split(id);
  const LaneMask mask = host_.warp(id).group.mask;
  std::vector<Target> ways;
  LaneMask there;  // who is at the join already
  for (const Target& target : paths.targets)
    if (CodePoint{target.pc, paths.depth} == paths.join)
      there = target.who;
    else
      ways.push_back(target);
  if (ways.size() == 2 && ways[0].pc == paths.first) std::swap(ways[0], ways[1]);  // the taken one is left
  const bool takes_over =
      own.joins[parted.join].at == paths.join && parted.other == kNoWarp && paths.targets.size() == 2;
  uint32_t join = parted.join;
  unsigned entry = parted.entry;
  if (!takes_over) {
    for (const WarpId each : own.splits) entry = std::max(entry, split(each).entry);
    join = add_join(own, {paths.join, parted.join, mask, mask, id, host_.now});
    ++entry;
    std::erase(own.splits, id);
    host_.set_state(id, WarpState::Held);
  }
  own.joins[join].pending = own.joins[join].pending.without(there);
  for (size_t end = ways.size(); end > 0;) {
    const size_t begin = (end - 1) / 2 * 2;
    fill(own, id, entry, join, paths.depth, std::span(ways).subspan(begin, end - begin));
    end = begin;
    ++entry;
  }
  if (takes_over) leave(own, id);
}

void DualPath::fill(StaticWarp& own, WarpId id, unsigned entry, uint32_t join, unsigned depth,
                    std::span<const Target> two) {
  WarpId other = kNoWarp;
  for (const Target& way : two) {
    const WarpId path = enter(own, id, join, {way.pc, depth}, way.who);
    split(path).entry = entry;
    split(path).other = other;
    if (other != kNoWarp) split(other).other = path;
    other = path;
  }
  highest_ = std::max(highest_, entry);
}

void DualPath::go_on(StaticWarp& own, WarpId, const Join& join) {
  own.splits.push_back(join.parted);
  host_.warp(join.parted).group = Group::rows(own.row, join.mask);
  place(own, join.parted, join.at);
}

void DualPath::dissolve(StaticWarp& own, const Join& join) {
  if (join.parted != kNoWarp) leave(own, join.parted);
}

StateCost DualPath::cost() const {
  // An entry holds two PCs, two masks and a reconvergence PC.
  return {highest_ + 1, (highest_ + 1) * (uint64_t{96} + 2 * host_.warp_size()), false};
}

}  // namespace heddle
