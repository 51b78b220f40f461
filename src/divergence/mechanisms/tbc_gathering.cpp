// tbc without a clock: warps of the top that come to a branch together, without anybody knowing their threads.
#include <utility>

#include "divergence/mechanisms/tbc.h"

namespace heddle {

// Behind a branch that goes one way for all, warps stay as they are: they must know their threads.
Pc Tbc::gathers_at(const Stack& stack) const {
  const Pc pc = stack.top().at.pc;
  const Pc branch = host_.comes_to.empty() || !all_wait() ? kNoPc : host_.comes_to[pc];
  if (branch == kNoPc || branch >= stack.ask_at(pc)) return kNoPc;
  return host_.kernel().may_diverge(branch) ? branch : kNoPc;
}

void Tbc::open_gathering(BlockId block_id) {
  Block& block = blocks_[block_id];
  const Stack::Entry& top = block.stack.top();
  for (const unsigned size : compactor_.sizes(rules_.forming, host_, block_id, top.mask))
    host_.warp(next_warp(block_id, block, Group::unnamed(size))).gathers = true;
  block.pending = static_cast<unsigned>(block.warps.size());
}

Gathering Tbc::gathering(BlockId block_id) const {
  const Block& block = blocks_[block_id];
  return {block.gathers_at, block.pending, &block.stack.top().mask};
}

void Tbc::gathered(BlockId block_id, const BlockMask& taken) {
  Block& block = blocks_[block_id];
  const Pc branch = block.gathers_at, target = host_.kernel().code[branch].target;
  const BlockMask& all = block.stack.top().mask;
  const auto add = [&](Pc pc, const BlockMask& who) {
    if (who.empty()) return;
    Path& path = path_to(block.paths, pc);
    path.extra.branch = branch;
    path.who |= who;
  };
  add(branch + 1, all.without(taken));
  add(target, taken);
  if (block.paths.size() == 1) return;
  const std::span<const bool> divided = compactor_.divides(rules_.forming, host_, block_id, all, taken);
  for (size_t i = 0; i < divided.size(); ++i) host_.warp(block.warps[i]).diverges = divided[i];
}

void Tbc::all_came(BlockId block_id) {
  Block& block = blocks_[block_id];
  block.branch = std::exchange(block.gathers_at, kNoPc);
  block.pending = 0;
  all_arrived(block_id);
}

void Tbc::name_groups() {
  for (BlockId id{0}; id < blocks_.size(); ++id)
    if (blocks_[id].gathers_at != kNoPc) name_groups_of(id);
}

// Those that are not at the branch yet are on no path.
void Tbc::name_groups_of(BlockId block_id) {
  Block& block = blocks_[block_id];
  BlockMask coming;
  block.pending = 0;
  size_t index = 0;
  for (const Group& group : compactor_.form(rules_.forming, host_, block_id, block.stack.top().mask)) {
    const WarpId id = block.warps[index++];
    host_.set_group(id, group);
    if (host_.warp(id).state != WarpState::Ready) continue;
    add_threads(host_, block_id, group, group.mask, coming);
    ++block.pending;
  }
  for (Path& path : block.paths) path.who = path.who.without(coming);
  std::erase_if(block.paths, [](const Path& path) { return path.who.empty(); });
  if (!block.paths.empty()) block.branch = block.gathers_at;
}

}  // namespace heddle
