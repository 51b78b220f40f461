#include "divergence/block_paths.h"

#include <algorithm>

namespace heddle {

void add_threads(const Host& host, BlockSlot slot, const Group& group, LaneMask who, BlockMask& set) {
  const unsigned first = host.block(slot).first;
  if (group.kind == Group::Kind::Rows)
    set.row(group.row - first / kRow) |= who;
  else
    for_each_lane(who, [&](unsigned i) { set.add(group.thread(i) - first); });
}

void add_paths(const Host& host, BlockSlot slot, const Outcome& outcome, std::vector<BlockPath>& paths) {
  for (const Target& target : outcome.targets) {
    const auto below = [](const BlockPath& path, Pc pc) { return path.pc < pc; };
    auto path = std::lower_bound(paths.begin(), paths.end(), target.pc, below);
    if (path == paths.end() || path->pc != target.pc) path = paths.insert(path, {target.pc, {}});
    add_threads(host, slot, outcome.group, target.who, path->who);
  }
}

}  // namespace heddle
