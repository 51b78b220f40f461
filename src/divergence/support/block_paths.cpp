#include "divergence/support/block_paths.h"

namespace heddle {

void add_paths(const Host& host, BlockId block, const Outcome& outcome, std::vector<BlockPath>& paths) {
  for (const Target& target : outcome.targets)
    add_threads(host, block, outcome.group, target.who, path_to(paths, target.pc).who);
}

}  // namespace heddle
