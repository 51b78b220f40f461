#include "divergence/thread_block_compaction.h"

#include <bit>
#include <utility>

#include "divergence/compaction_census.h"

namespace heddle {

ThreadBlockCompaction::ThreadBlockCompaction(Host& host, const Config& config)
    : Mechanism(host),
      wait_at_all_(config.text("wait_at") == "all"),
      compaction_(config.boolean("compaction")),
      likely_(config.boolean("lcp")) {}

void ThreadBlockCompaction::block_start(BlockSlot slot) {
  if (blocks_.size() <= slot) blocks_.resize(slot + 1U);
  const unsigned threads = host_.block(slot).threads;
  block_threads_ = std::max(block_threads_, threads);
  likely_merges_ += blocks_[slot].stack.likely_merges();
  blocks_[slot] = {};
  blocks_[slot].stack.start(BlockMask::range(0, threads), {.likely = likely_});
  form_warps(slot);
}

bool ThreadBlockCompaction::may_part(Pc branch) const {
  const Kernel& kernel = host_.kernel();
  return kernel.blocks[kernel.block_of[branch]].successors.size() > 1 && !kernel.uniform[branch];
}

void ThreadBlockCompaction::resolve(WarpId id, std::span<const Outcome> outcomes) {
  const Outcome& outcome = outcomes[0];
  switch (outcome.kind) {
    case Outcome::Kind::Exit: return leave(id, outcome.group);
    case Outcome::Kind::Call: return wait_at_branch(id, outcome);
    case Outcome::Kind::Return: {
      const CodePoint& back = blocks_[host_.warp(id).block].stack.top().reconvergence;
      require(outcome.targets.size() == 1 && outcome.targets[0].pc == back.pc,
              "threads return to where they do not reconverge");
      return wait_to_meet(id, back.pc);
    }
    case Outcome::Kind::Branch:
    case Outcome::Kind::Indirect:
      if (wait_at_all_ || may_part(host_.warp(id).pc)) return wait_at_branch(id, outcome);
      require(outcome.targets.size() == 1, "threads part at a branch that was proven uniform");
      return go_on(id, outcome.targets[0].pc);
  }
}

void ThreadBlockCompaction::arrive(WarpId id) { wait_to_meet(id, host_.warp(id).pc); }

void ThreadBlockCompaction::go_on(WarpId id, Pc pc) {
  Warp& warp = host_.warp(id);
  const Stack& stack = blocks_[warp.block].stack;
  warp.pc = pc;
  warp.ask_at = stack.ask_at(pc);
  host_.set_state(id, WarpState::Ready);
  if (stack.stops_at(pc)) wait_to_meet(id, pc);
}

void ThreadBlockCompaction::wait_at_branch(WarpId id, const Outcome& outcome) {
  Warp& warp = host_.warp(id);
  Block& block = blocks_[warp.block];
  require(block.branch == kNoPc || block.branch == warp.pc, "warps of one stack entry wait at different branches");
  block.branch = warp.pc;
  add_paths(host_, warp.block, outcome, block.paths);
  host_.set_state(id, WarpState::Held);
  count_arrival(warp.block);
}

void ThreadBlockCompaction::wait_to_meet(WarpId id, Pc at) {
  Warp& warp = host_.warp(id);
  Block& block = blocks_[warp.block];
  require(block.meeting == kNoPc || block.meeting == at, "warps of one stack entry wait to meet at different places");
  block.meeting = at;
  host_.set_state(id, WarpState::Held);
  count_arrival(warp.block);
}

void ThreadBlockCompaction::leave(WarpId id, const Group& gone) {
  const BlockSlot slot = host_.warp(id).block;
  BlockMask threads;
  add_threads(host_, slot, gone, gone.mask, threads);
  blocks_[slot].stack.exit(threads);
  std::erase(blocks_[slot].warps, id);
  host_.close(id);
  count_arrival(slot);
}

void ThreadBlockCompaction::count_arrival(BlockSlot slot) {
  if (--blocks_[slot].pending == 0) all_arrived(slot);
}

void ThreadBlockCompaction::all_arrived(BlockSlot slot) {
  Block& block = blocks_[slot];
  const Pc branch = std::exchange(block.branch, kNoPc);
  const std::vector<BlockPath> paths = std::exchange(block.paths, {});
  if (host_.census && branch != kNoPc) host_.census->branch(host_, slot, branch, paths);
  if (const Pc meeting = std::exchange(block.meeting, kNoPc); meeting != kNoPc) {
    Stack::Entry& top = block.stack.top();
    top.at = top.reconvergence.pc == meeting ? top.reconvergence : top.likely;
  } else if (branch != kNoPc && host_.kernel().code[branch].op == Op::Call) {
    block.stack.call(branch, std::span<const BlockPath>(paths));
  } else if (branch != kNoPc && may_part(branch)) {
    block.stack.part(host_.kernel(), branch, std::span<const BlockPath>(paths));
  } else if (branch != kNoPc) {
    block.pending = static_cast<unsigned>(block.warps.size());
    for (WarpId id : std::vector<WarpId>(block.warps)) go_on(id, paths[0].pc);
    return;
  }
  if (block.stack.size() > entries_) {
    entries_ = block.stack.size();
    deepest_ = std::max(deepest_, block.stack.depth());
  }
  form_warps(slot);
}

void ThreadBlockCompaction::form_warps(BlockSlot slot) {
  Block& block = blocks_[slot];
  // The last first, so that the new warps take the old numbers in order.
  for (size_t i = block.warps.size(); i-- > 0;) host_.close(block.warps[i]);
  block.warps.clear();
  block.stack.settle();
  if (block.stack.empty()) return;
  const Stack::Entry& top = block.stack.top();
  require(top.at.pc != kNoPc, "threads wait for the end of the kernel");
  const auto groups =
      compaction_ ? compactor_.compact(host_, slot, top.mask) : compactor_.keep_static(host_, slot, top.mask);
  for (const Group& group : groups) {
    const WarpId id = host_.open(slot, top.at.pc, group);
    Warp& warp = host_.warp(id);
    warp.depth = static_cast<uint8_t>(std::min(top.at.depth, 255U));
    warp.ask_at = block.stack.ask_at(top.at.pc);
    warp.not_before = host_.now + block.warps.size();
    block.warps.push_back(id);
  }
  block.pending = static_cast<unsigned>(block.warps.size());
}

void ThreadBlockCompaction::explain(BlockSlot slot, std::string& text) const {
  const Block& block = blocks_[slot];
  if (block.stack.empty()) return;
  const auto threads = [](const BlockMask& mask) { return fmt::format("of {} threads", mask.count()); };
  text += fmt::format("  stack of the block:{} WCnt {}\n", block.stack.text(block.stack.top().at.pc, threads),
                      block.pending);
  for (const BlockPath& path : block.paths)
    text += fmt::format("  {} threads wait to go from {} to {}\n", path.who.count(), block.branch, path.pc);
  for (WarpId id : block.warps) {
    const Warp& warp = host_.warp(id);
    text += fmt::format("  warp {}: pc {}, {} threads{}\n", id, warp.pc, warp.group.count,
                        warp.state == WarpState::Held ? ", waits for the block" : "");
  }
}

StateCost ThreadBlockCompaction::cost() const {
  // For the block: entries of two PCs, WCnt and a bit per thread, with likely-convergence points a third PC and a
  // position. For each warp: which static warp each of its lanes' threads comes from, in the warp buffer.
  const unsigned width = host_.warp_size(), warps = std::max(1U, (block_threads_ + width - 1) / width);
  const unsigned id_bits = static_cast<unsigned>(std::bit_width(warps - 1)),
                 count_bits = static_cast<unsigned>(std::bit_width(warps));
  const uint64_t likely_bits = likely_ ? 32 + static_cast<uint64_t>(std::bit_width(entries_ - 1)) : 0;
  const uint64_t stack_bits = entries_ * (64 + likely_bits + count_bits + warps * width);
  StateCost cost{static_cast<unsigned>(deepest_), (stack_bits + warps - 1) / warps + uint64_t{width} * id_bits, false};
  cost.likely_merges = likely_merges_;
  for (const Block& block : blocks_) cost.likely_merges += block.stack.likely_merges();
  return cost;
}

}  // namespace heddle
