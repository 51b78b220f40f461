// tbc: warps that pass on at a branch instead of waiting (capri.h).
#include <algorithm>
#include <optional>
#include <utility>

#include "divergence/mechanisms/tbc.h"

namespace heddle {

CodePoint Tbc::meeting_of(const Block& block, Pc branch) const {
  if (host_.kernel().code[branch].op == Op::Call) return {branch + 1, block.stack.top().at.depth};
  return block.stack.reconvergence_of(host_.kernel(), branch);
}

// Threads whose path starts at the RPC have nothing to run; their warp, where nothing else is left of it, stays held
// until all have arrived.
void Tbc::pass_on(WarpId id, const Outcome& outcome) {
  const Kernel& kernel = host_.kernel();
  const BlockId block_id = host_.warp(id).block;
  Block& block = blocks_[block_id];
  const unsigned depth = block.stack.top().at.depth + (outcome.kind == Outcome::Kind::Call ? 1 : 0);
  const CodePoint meeting = meeting_of(block, block.branch);
  const Pc meets = meeting.depth == depth ? meeting.pc : kNoPc;
  const Target* first = nullptr;
  for (const Target& target : outcome.targets)
    if (target.pc != meets && (!first || runs_before(kernel, block.branch, target.pc, first->pc))) first = &target;
  const bool diverged = outcome.targets.size() > 1;
  std::optional<KeptGroup> all;  // as long as its warp has it, too
  if (diverged) all.emplace(outcome.group);
  host_.set_state(id, WarpState::Held);
  for (const Target& target : outcome.targets) {
    if (target.pc == meets) continue;
    const Group part = diverged ? all->group().part(target.who) : outcome.group;
    Path& path = path_to(block.paths, target.pc);
    add_threads(host_, block_id, part, part.mask, path.extra.threads);
    if (&target != first) {
      path.extra.parked.emplace_back(part);
      continue;
    }
    if (diverged) host_.set_group(id, part);
    host_.warp(id).depth = static_cast<uint8_t>(std::min(depth, 255U));
    if (diverged) host_.warp(id).not_before = host_.now + rules_.look_up_cycles;
    go_ahead(id, block, path, meets);
  }
}

// What come_to_branch() and pass_on() would do. Who has nothing to run is held by these.
bool Tbc::passes(WarpId id, Pc pc) {
  const Warp& warp = host_.warp(id);
  const BlockId block_id = warp.block;
  Block& block = blocks_[block_id];
  const Pc meets = block.stack.met_at(meeting_of(block, warp.pc));
  if (pc == meets || waits(block_id, warp.pc, false)) return false;
  note_branch(block, warp.pc);
  Path& path = come_to_path(block, pc);
  add_threads(host_, block_id, warp.group, warp.group.mask, path.who);
  add_threads(host_, block_id, warp.group, warp.group.mask, path.extra.threads);
  go_ahead(id, block, path, meets);
  count_arrival(block_id);
  return true;
}

void Tbc::go_ahead(WarpId id, Block& block, Path& path, Pc meets) {
  if (path.extra.ahead.empty()) path.extra.ahead.reserve(block.pending);
  path.extra.ahead.push_back(id);
  block.warps.erase(std::find(block.warps.begin(), block.warps.end(), id));  // mostly the first
  run_ahead(id, path.pc, meets);
}

void Tbc::run_ahead(WarpId id, Pc pc, Pc meets) {
  Warp& warp = host_.warp(id);
  whereabouts_[id] = {Standing::Ahead, meets};
  warp.pc = pc;
  warp.ask_at = std::min(next_control_[pc], meets > pc ? meets : kNoPc);
  host_.set_state(id, warp.ask_at == pc ? WarpState::Held : WarpState::Ready);
}

void Tbc::take_over(BlockId block_id, WarpId id) {
  Block& block = blocks_[block_id];
  block.warps.push_back(id);
  const Standing before = std::exchange(whereabouts_[id].standing, Standing::Top);
  if (before == Standing::Met) return;
  ++block.pending;
  Warp& warp = host_.warp(id);
  warp.ask_at = block.stack.ask_at(warp.pc);
  if (warp.state == WarpState::Held) host_.set_state(id, WarpState::Ready);
}

}  // namespace heddle
