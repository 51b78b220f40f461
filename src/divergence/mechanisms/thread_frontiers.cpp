#include "divergence/mechanisms/thread_frontiers.h"

#include <algorithm>

#include "divergence/support/thread_frontier.h"

namespace heddle {

std::unique_ptr<Mechanism> ThreadFrontiers::make(Host& host, const Config& config) {
  if (config.text("variant") == "ptpc") return std::make_unique<ThreadFrontiersByPc>(host);
  return std::make_unique<ThreadFrontiers>(host);
}

// ---- stack

void ThreadFrontiers::pick(StaticWarp& threads) {
  LorieStrong::pick(threads);
  entries_ = std::max(entries_, entries_of(threads));
}

std::optional<Pc> ThreadFrontiers::goes_on(WarpId id, Pc pc) const {
  return entries_of(of(id)) > entries_ ? std::nullopt : LorieStrong::goes_on(id, pc);
}

StateCost ThreadFrontiers::cost() const {
  return {static_cast<unsigned>(entries_), entries_ * (32 + host_.warp_size()), false};
}

// ---- ptpc

ThreadFrontiersByPc::ThreadFrontiersByPc(Host& host)
    : LorieStrong(host), frontier_(first_of_frontiers(host.kernel())), begin_(host.kernel().blocks.size()) {
  const Kernel& kernel = host.kernel();
  for (size_t block = 0; block < kernel.blocks.size(); ++block)
    begin_[kernel.block_order[block]] = kernel.blocks[block].begin;
}

void ThreadFrontiersByPc::resolve(WarpId id, std::span<const Outcome> outcomes) {
  StaticWarp& threads = of(id);
  const Warp& warp = host_.warp(id);
  if (outcomes.empty()) {
    threads.phantom = false;
    return walk(threads, behind_empty(warp.pc), warp.depth);
  }
  const Outcome& outcome = outcomes[0];
  const bool inside = outcome.kind == Outcome::Kind::Branch || outcome.kind == Outcome::Kind::Exit;
  if (!inside || (outcome.targets.size() < 2 && threads.waiting.empty())) return LorieStrong::resolve(id, outcomes);
  uint32_t target = kNoFrontier;
  for (const Target& each : outcome.targets) target = std::min(target, number(each.pc));
  part(threads, outcome.targets);
  leave(threads, host_.kernel().block_of[warp.pc], target, warp.depth);
}

// Where nobody waits there is no frontier to walk.
std::optional<Pc> ThreadFrontiersByPc::goes_on(WarpId id, Pc pc) const {
  return of(id).waiting.empty() ? LorieStrong::goes_on(id, pc) : std::nullopt;
}

void ThreadFrontiersByPc::arrive(WarpId id) {
  StaticWarp& threads = of(id);
  const Warp& warp = host_.warp(id);
  const std::vector<uint32_t>& block_of = host_.kernel().block_of;
  const uint32_t from = block_of[warp.pc - 1];
  stop(threads);
  if (from == block_of[warp.pc]) return arbitrate(threads);
  leave(threads, from, number(warp.pc), warp.depth);
}

// From a block where somebody was; `target`: the first place that they go to.
void ThreadFrontiersByPc::leave(StaticWarp& threads, uint32_t block, uint32_t target, unsigned depth) {
  const uint32_t next = std::min(target, frontier_[block]);
  walk(threads, next == kNoFrontier ? kNoPc : begin_[next], depth);
}

void ThreadFrontiersByPc::walk(StaticWarp& threads, Pc pc, unsigned depth) {
  if (pc == kNoPc) return arbitrate(threads);
  const Party& first = *std::min_element(threads.waiting.begin(), threads.waiting.end(),
                                         [&](const Party& a, const Party& b) { return runs_before(a, b); });
  if (first.depth != depth || !runs_before({pc, depth, {}}, first)) return arbitrate(threads);
  show_phantom(threads, pc, depth, 0);
}

Pc ThreadFrontiersByPc::behind_empty(Pc pc) const {
  const Kernel& kernel = host_.kernel();
  const BasicBlock& block = kernel.blocks[kernel.block_of[pc]];
  if (pc + 1 < block.end) return pc + 1;
  const uint32_t next = number(pc) + 1;
  if (next == begin_.size() || kernel.blocks[kernel.block_of[begin_[next]]].function != block.function) return kNoPc;
  return begin_[next];
}

StateCost ThreadFrontiersByPc::cost() const {
  // A PC per thread and the warp's, whatever the nesting.
  return {1, uint64_t{32} * host_.warp_size() + 32, true};
}

}  // namespace heddle
