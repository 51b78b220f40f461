#include "divergence/support/block_paths.h"

namespace heddle {

void add_threads(const Host& host, BlockId block, const Group& group, LaneMask who, BlockMask& set) {
  const unsigned first = host.block(block).first;
  if (group.kind == Group::Kind::Rows)
    set.row(group.row - first / kRow) |= who;
  else
    for_each_lane(who, [&, threads = group.threads](unsigned i) { set.add(threads[i] - first); });
}

void add_paths(const Host& host, BlockId block, const Outcome& outcome, std::vector<BlockPath>& paths) {
  for (const Target& target : outcome.targets)
    add_threads(host, block, outcome.group, target.who, path_to(paths, target.pc).who);
}

}  // namespace heddle
