#include "core/spin_detector.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "base/fingerprint.h"

namespace heddle {
namespace {

// Calls f(row) for each register row of the blocks that run.
template <class F>
void for_each_row(const WarpEngine& engine, F&& f) {
  for (unsigned i = 0; i < engine.resident(); ++i) {
    const auto block = static_cast<BlockId>(i);
    if (engine.live_threads(block) == 0) continue;
    const BlockShape& shape = engine.host().block(block);
    for (unsigned row = shape.first / kRow; row * kRow < shape.first + shape.threads; ++row) f(row);
  }
}

}  // namespace

bool SpinDetector::spins(uint64_t slots, std::span<const WarpEngine* const> engines) {
  next_look_ = slots + limit_ / kLooks + 1;
  if (somebody_left(engines)) {
    left_at_ = slots;
    states_.clear();
  }
  if (slots - left_at_ < limit_) return false;
  if (something_new(engines)) {
    window_ = slots;
    half_ = false;
    return false;
  }
  if (slots - window_ < limit_ / 2) return false;
  const uint64_t memory = memory_of(engines);
  const bool same = half_ && memory == memory_;
  half_ = true;
  window_ = slots;
  memory_ = memory;
  return same;
}

bool SpinDetector::somebody_left(std::span<const WarpEngine* const> engines) {
  uint64_t threads = 0;
  for (const WarpEngine* engine : engines) {
    threads += engine->stats().threads * 2;  // one that starts is not made up for by one that leaves
    for (unsigned block = 0; block < engine->resident(); ++block)
      threads -= engine->live_threads(static_cast<BlockId>(block));
  }
  return std::exchange(threads_, threads) != threads;
}

bool SpinDetector::something_new(std::span<const WarpEngine* const> engines) {
  if (states_.size() > kMostStates) states_.clear();
  bool found = false;
  for (size_t i = 0; i < engines.size(); ++i) {
    const Context& context = engines[i]->context();
    for_each_row(*engines[i], [&](unsigned row) {
      Fingerprint state;
      state.add(i << 32 | row);
      state.add(context.plane(static_cast<Hw>(row * kRow)), context.kernel.plane_bytes);
      found = states_.insert(state.value()).second || found;
    });
  }
  return found;
}

uint64_t SpinDetector::memory_of(std::span<const WarpEngine* const> engines) {
  Fingerprint memory;
  memory.add(engines[0]->context().memory.fingerprint());
  for (const WarpEngine* engine : engines)
    for (const BlockState& block : engine->context().blocks)
      if (block.live) memory.add(block.shared.data(), block.shared.size());
  return memory.value();
}

namespace {

// The shortest loop around an instruction, by the jump back that closes it; kNoPc: none.
Pc loop_around(const Kernel& kernel, Pc pc) {
  Pc closest = kNoPc;
  const FunctionRange& function = kernel.function_at(pc);
  const auto length = [&](Pc jump) { return jump - kernel.code[jump].target; };
  for (Pc jump = pc; jump < function.end; ++jump) {
    const Instruction& instruction = kernel.code[jump];
    if (instruction.op != Op::Bra || instruction.target > pc) continue;
    if (closest == kNoPc || length(jump) < length(closest)) closest = jump;
  }
  return closest;
}

// By row: the threads that are alive and in no warp, because they wait for those of others.
std::map<unsigned, LaneMask> threads_without_warp(const WarpEngine& engine) {
  std::map<unsigned, LaneMask> without;
  for_each_row(engine, [&](unsigned row) { without[row] = engine.host().alive_row(row); });
  std::vector<Group> groups(512);
  for (WarpId id{0}; id < engine.host().size(); ++id) {
    const Warp& warp = engine.host().warp(id);
    if (warp.state == WarpState::Free) continue;
    const unsigned count = engine.grouping().look_at(id, groups);
    for (unsigned g = 0; g < count; ++g)
      for_each_lane(groups[g].mask, [&](unsigned k) {
        const Hw thread = groups[g].thread(k);
        without[thread / kRow].remove(thread % kRow);
      });
  }
  return without;
}

}  // namespace

void explain_spinning(const WarpEngine& engine, std::string& text) {
  const Kernel& kernel = engine.context().kernel;
  std::set<BlockId> blocks;
  for (WarpId id{0}; id < engine.host().size() && blocks.size() < 2; ++id) {
    const Warp& warp = engine.host().warp(id);
    if (warp.state != WarpState::Ready && warp.state != WarpState::InFlight) continue;
    const Pc jump = loop_around(kernel, warp.pc);
    if (jump == kNoPc || !blocks.insert(warp.block).second) continue;
    text += fmt::format("  warp {} goes round; the loop ends at {}: {}\n", id.value(), kernel.where(jump),
                        kernel.text(jump));
  }
  std::string waiting;
  unsigned listed = 0;
  for (const auto& [row, lanes] : threads_without_warp(engine)) {
    if (lanes.empty() || !blocks.contains(engine.context().block_of_row[row]) || ++listed > 4) continue;
    const unsigned index = row - engine.host().block(engine.context().block_of_row[row]).first / kRow;
    waiting += fmt::format("{} threads {} to {}, those in {:08x}", waiting.empty() ? "" : ";", index * kRow,
                           index * kRow + kRow - 1, lanes.bits());
  }
  if (waiting.empty()) return;
  text += fmt::format(
      "  SIMT-induced deadlock: threads wait until the others leave the loop, and may be what these wait for (a spin "
      "lock?): of{}\n",
      waiting);
  for (BlockId block : blocks) engine.explain(block, text);
}

}  // namespace heddle
