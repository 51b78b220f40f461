// Where the threads of a block, or of a part of it, go after a control instruction that several groups executed.
#pragma once

#include <algorithm>
#include <vector>

#include "divergence/mechanism.h"
#include "divergence/support/block_mask.h"

namespace heddle {

struct BlockPath {
  Pc pc = kNoPc;
  BlockMask who;
};

// Adds the threads of a group of the block that are in `who` to a set.
inline void add_threads(const Host& host, BlockId block, const Group& group, LaneMask who, BlockMask& set) {
  const unsigned first = host.block(block).first;
  if (group.kind == Group::Kind::Rows)
    set.row(group.row - first / kRow) |= who;
  else
    for_each_lane(who, [&, threads = group.threads](unsigned i) { set.add(threads[i] - first); });
}
// The path to `pc` of paths whose PCs are distinct and ascend, made where there is none.
template <class Path>
Path& path_to(std::vector<Path>& paths, Pc pc) {
  auto path = std::lower_bound(paths.begin(), paths.end(), pc, [](const Path& each, Pc at) { return each.pc < at; });
  if (path != paths.end() && path->pc == pc) return *path;
  path = paths.emplace(path);
  path->pc = pc;
  return *path;
}

// Adds an outcome to paths whose PCs are distinct and ascend.
void add_paths(const Host& host, BlockId block, const Outcome& outcome, std::vector<BlockPath>& paths);

}  // namespace heddle
