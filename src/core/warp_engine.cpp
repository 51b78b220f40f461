#include "core/warp_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "base/kernel_name.h"
#include "core/occupancy.h"
#include "exec/handlers.h"
#include "program/analysis.h"

namespace heddle {
namespace {

Dim3 block_index(uint64_t linear, const Dim3& grid) {
  return {static_cast<uint32_t>(linear % grid.x), static_cast<uint32_t>(linear / grid.x % grid.y),
          static_cast<uint32_t>(linear / grid.x / grid.y)};
}

Outcome::Kind outcome_kind(Op op) {
  switch (op) {
    case Op::Brx: return Outcome::Kind::Indirect;
    case Op::Call: return Outcome::Kind::Call;
    case Op::Ret: return Outcome::Kind::Return;
    case Op::Exit: return Outcome::Kind::Exit;
    default: return Outcome::Kind::Branch;
  }
}

std::string_view words_for(WarpState state) {
  switch (state) {
    case WarpState::Ready: return "could go";
    case WarpState::InFlight: return "with an instruction under way";
    case WarpState::Held: return "held by the mechanism";
    case WarpState::AtBarrier: return "at a barrier";
    case WarpState::AtSync: return "waiting for lanes of its static warp";
    case WarpState::Free: break;
  }
  return "";
}

}  // namespace

WarpEngine::WarpEngine(const Kernel& kernel, const LaunchInfo& launch, GlobalMemory& memory, ConstantPlane constants,
                       const Config& config, const EngineOptions& options, unsigned resident_blocks)
    : kernel_(kernel),
      launch_(launch),
      context_(kernel, launch, memory, std::move(constants), resident_blocks * rows_of(launch)),
      grouping_(kernel, static_cast<unsigned>(config.integer("warp_size")), options.lanes,
                mechanism_named(options.mechanism), config),
      rendezvous_(context_, grouping_.host(), grouping_.mechanism()),
      resident_(resident_blocks),
      rows_per_block_(rows_of(launch)),
      rows_(size_t{resident_blocks} * rows_per_block_) {
  coming_.resize(resident_blocks);
  lagging_.resize(size_t{resident_blocks} * rows_per_block_);
  grouping_.host().timed = options.timed;
  grouping_.host().counts_changes = !options.timed || traits().issue_width > 1;
  grouping_.watch(options.observers, launch.core, options.timed);
  if (options.taint) follow_taint(context_);
  if (options.checker) options.checker->watch(context_);
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    const bool hears = traits().every_slot || (traits().hears_branches && kernel.may_diverge(pc));
    may_jump_.push_back(kernel.code[pc].op == Op::Bra && !hears ? 1 : 0);
  }
  may_jump_.push_back(0);
  alone_pays_.resize(kernel.code.size());
  plain_until_.resize(kernel.code.size());
  for (Pc pc = static_cast<Pc>(kernel.code.size()), until = pc; pc-- > 0; plain_until_[pc] = until)
    if (kernel.code[pc].flow != Flow::Plain || kernel.code[pc].guarded()) until = pc;
  stats_.kernel = kernel.name;
  stats_.grid = launch.grid;
  stats_.block = launch.block;
}

void WarpEngine::start_block(BlockId block, uint64_t order) {
  const Hw first = static_cast<Hw>(block * rows_per_block_ * kRow);
  const auto threads = static_cast<unsigned>(launch_.block.count());
  context_.start_block(block, first, block_index(order, launch_.grid));
  ++stats_.blocks;
  stats_.threads += threads;
  grouping_.start_block(block, {first, threads, order});
}

// ---- issue

void WarpEngine::tell_issued(WarpId id, const Group& group, Pc first, uint64_t slots, bool beside) {
  host().watch.at_slot(stats_.issue_slots);
  host().watch.tell<&Observer::issued>(Observer::kIssues | Observer::kSteps, Issued{id, group, first, slots, beside});
}

void WarpEngine::issue_at_once(WarpId id, bool beside) {
  const Warp& warp = host().warp(id);
  const Pc pc = warp.pc;
  const Instruction& instruction = kernel_.code[pc];
  const bool executes = instruction.flow == Flow::Plain && warp.group.kind != Group::Kind::Phantom;
  const std::span<const Group> groups = warp.groups > 1 ? groups_of(id) : std::span(&warp.group, 1);
  for (const Group& group : groups) {
    if (charged_at_issue(instruction, group)) charge(id, group, pc, 1, beside);
    ++context_.clock;
  }
  host().now = CoreCycle(context_.clock);
  if (traits().every_slot) begin(id);  // else nobody can tell, for nothing is between
  context_.pc = pc;
  if (executes)
    for (const Group& group : groups) execute(instruction, group.lanes());
  grouping_.complete(id, *this);
}

bool WarpEngine::jump(WarpId id, bool beside) {
  const Warp& warp = host().warp(id);
  const std::optional<Way> way = one_way(warp, id);
  if (!way) return false;
  charge(id, warp.group, warp.pc, 1, beside);
  host().now = CoreCycle(++context_.clock);
  follow(id, *way);
  return true;
}

ValueRanges WarpEngine::value_ranges_of(Pc pc, const Group& group) const {
  const Instruction& instruction = kernel_.code[pc];
  ValueRanges ranges;
  if (!has_slow_path(instruction)) return ranges;
  const Lanes active = context_.guarded(instruction, group.lanes());
  for_each_lane(active.mask, [&](unsigned k) {
    const Hw thread = active.thread(k);
    const uint64_t second = instruction.src_count > 1 ? context_.get_bits(instruction.src[1], thread) : 0;
    const ValueRange range = value_range(instruction, context_.get_bits(instruction.src[0], thread), second);
    ranges.farthest = std::max(ranges.farthest, range);
    ranges.slow += range != ValueRange::Usual;
  });
  return ranges;
}

bool WarpEngine::issue(WarpId id, Pc pc, const Group& group, bool beside) {
  const Instruction& instruction = kernel_.code[pc];
  const bool executes = group.kind != Group::Kind::Phantom && instruction.flow == Flow::Plain;
  if (charged_at_issue(instruction, group)) charge(id, group, pc, 1, beside);
  context_.pc = pc;
  forget_access();
  if (executes) execute(instruction, group.lanes());
  return executes;
}

// ---- completion

void WarpEngine::complete(WarpId id) {
  const Warp& warp = host().warp(id);
  context_.pc = warp.pc;
  if (const std::optional<Way> way = one_way(warp, id)) {
    host().finish(id);
    return follow(id, *way);
  }
  grouping_.complete(id, *this);
}

Outcome WarpEngine::plain_outcome(const Instruction& instruction, const Group& group,
                                  std::array<Target, 2>& targets) const {
  const LaneMask taken = context_.guarded(instruction, group.lanes()).mask;
  Target next{context_.pc + 1, group.mask.without(taken)}, there{instruction.target, taken};
  if (next.pc == there.pc) there.who = group.mask, next.who = {};
  if (next.pc > there.pc) std::swap(next, there);
  size_t count = 0;
  if (!next.who.empty()) targets[count++] = next;
  if (!there.who.empty()) targets[count++] = there;
  return {Outcome::Kind::Branch, group, {targets.data(), count}, {}};
}

std::span<const Outcome> WarpEngine::plain_branch(const Instruction& instruction, const Group& group) {
  one_ = plain_outcome(instruction, group, two_);
  note_branch(one_.targets.size() > 1);
  return {&one_, 1};
}

// Who goes where is the same, and is told by fewer groups.
std::span<const Outcome> WarpEngine::branch_by_rows(const Instruction& instruction, std::span<const Group> groups) {
  const std::span<const Lanes> rows = by_rows(groups);
  two_by_row_.resize(rows.size());
  outcomes_.clear();
  for (size_t i = 0; i < rows.size(); ++i)
    outcomes_.push_back(plain_outcome(instruction, Group::rows(rows[i].first / kRow, rows[i].mask), two_by_row_[i]));
  note_branch(diverges(outcomes_));
  return outcomes_;
}

std::span<const Outcome> WarpEngine::branch(WarpId, const Instruction& instruction, std::span<const Group> groups) {
  if (instruction.op == Op::Bra && groups.size() == 1 && !context_.taint) return plain_branch(instruction, groups[0]);
  if (instruction.op == Op::Bra && !context_.taint && !host().watch.wants(Observer::kBranches))
    return branch_by_rows(instruction, groups);
  const Outcome::Kind kind = outcome_kind(instruction.op);
  if (targets_.size() < groups.size()) targets_.resize(groups.size());
  outcomes_.resize(groups.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    context_.handlers[context_.pc](context_, instruction, groups[g].lanes());
    outcomes_[g] = {kind, groups[g], context_.targets, {}};
    if (groups.size() == 1) continue;  // the targets may stay where the handler put them
    targets_[g] = context_.targets;
    outcomes_[g].targets = targets_[g];
  }
  count_branch(instruction, outcomes_);
  return outcomes_;
}

void WarpEngine::count_branch(const Instruction& instruction, std::span<const Outcome> outcomes) {
  if (instruction.op != Op::Bra && instruction.op != Op::Brx) return;
  note_branch(diverges(outcomes));
  if (!context_.taint || !has_choice(instruction)) return;
  for (Outcome& outcome : outcomes_) outcome.on_data = context_.taint->data_branches(outcome.group.lanes());
}

// It executes once, for the whole static warp; the last to come is charged.
void WarpEngine::sync(WarpId id, std::span<const Group> groups) {
  const Pc pc = host().warp(id).pc;
  const unsigned executed = rendezvous_.at_sync(id, groups);
  if (executed == 0) return;
  if (host().watch.wants(Observer::kIssues | Observer::kSteps)) [[unlikely]] {
    host().watch.at_slot(stats_.issue_slots);
    host().watch.tell<&Observer::synced>(Observer::kIssues | Observer::kSteps, Synced{id, pc, groups, executed});
  }
  for (const Group& group : groups) stats_.issue(1, group.count);
  stats_.thread_instructions += executed;
}

void WarpEngine::left(BlockId block) {
  if (live_threads(block) > 0) return rendezvous_.exited(block);
  grouping_.end_block(block);
  rendezvous_.block_end(block);
  context_.end_block(block);
  block_done_(block);
}

// ---- for a person

void WarpEngine::explain(BlockId block_id, std::string& text) const {
  const BlockState& block = context_.blocks[block_id];
  text += fmt::format(" block ({},{},{}), {} of {} threads alive:\n", block.index.x, block.index.y, block.index.z,
                      live_threads(block_id), block.threads);
  rendezvous_.explain(block_id, text);
  text += state_text(grouping_.mechanism().state(block_id));
}

// Warps that are at the same place in the same state are one line.
void WarpEngine::list_warps(std::string& text) const {
  std::map<std::pair<Pc, WarpState>, unsigned> places;
  for (WarpId id{0}; id < host().size(); ++id)
    if (const Warp& warp = host().warp(id); warp.state != WarpState::Free) ++places[{warp.pc, warp.state}];
  unsigned listed = 0;
  for (const auto& [place, warps] : places) {
    if (++listed > 32) break;
    const auto [pc, state] = place;
    text += fmt::format("  {} {} {}, at {}: {}\n", warps, warps == 1 ? "warp" : "warps", words_for(state),
                        kernel_.where(pc), kernel_.text(pc));
  }
}

void WarpEngine::finish() {
  const StateCost cost = grouping_.mechanism().cost();
  stats_.deepest = cost.deepest;
  stats_.state_bits_per_warp = cost.bits_per_warp;
  stats_.state_constant = cost.constant;
  stats_.counters = grouping_.mechanism().counters();
}

}  // namespace heddle
