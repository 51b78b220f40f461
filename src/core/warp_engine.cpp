#include "core/warp_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "base/kernel_name.h"
#include "exec/handlers.h"
#include "program/analysis.h"

namespace heddle {
namespace {

constexpr unsigned kMaxGroups = 512;  // sub-warps of one large warp

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

unsigned rows_of(const LaunchInfo& launch) { return static_cast<unsigned>((launch.block.count() + kRow - 1) / kRow); }

unsigned occupancy(const Kernel& kernel, const LaunchInfo& launch, const Config& config) {
  const auto limit = [&](std::string_view key) { return static_cast<uint64_t>(config.integer(key)); };
  const unsigned threads = rows_of(launch) * kRow;
  const uint64_t registers = uint64_t{kernel.peak_registers} * threads;
  const uint64_t shared = uint64_t{kernel.dynamic_shared} + launch.dynamic_shared;
  const auto refuse = [&](const std::string& what, uint64_t wanted, std::string_view key) {
    throw Error(ExitCode::BadLaunch, fmt::format("a block of {} does not fit a core: {} {} of {} ({})",
                                                 readable_name(kernel.name), wanted, what, limit(key), key));
  };
  if (launch.block.count() > limit("core_threads")) refuse("threads", launch.block.count(), "core_threads");
  if (shared > limit("core_shared")) refuse("bytes of shared memory", shared, "core_shared");
  if (registers > limit("core_registers"))
    refuse(fmt::format("registers, {} per thread,", kernel.peak_registers), registers, "core_registers");
  uint64_t fit = std::min(limit("core_blocks"), std::max<uint64_t>(1, limit("core_threads") / threads));
  if (shared > 0) fit = std::min(fit, limit("core_shared") / shared);
  if (registers > 0) fit = std::min(fit, limit("core_registers") / registers);
  return static_cast<unsigned>(fit);
}

WarpEngine::WarpEngine(const Kernel& kernel, const LaunchInfo& launch, GlobalMemory& memory,
                       std::vector<std::byte> constants, const Config& config, const EngineOptions& options,
                       unsigned resident_blocks)
    : context(kernel, launch, memory, std::move(constants), resident_blocks * rows_of(launch)),
      host(kernel, static_cast<unsigned>(config.integer("warp_size")), options.lanes),
      mechanism(make_mechanism(mechanism_named(options.mechanism), host, config)),
      rendezvous(context, host, *mechanism),
      kernel_(kernel),
      launch_(launch),
      tracer_(options.tracer),
      every_slot_(mechanism->traits().every_slot),
      bound_(mechanism_named(options.mechanism).bound),
      resident_(resident_blocks),
      rows_per_block_(rows_of(launch)),
      live_threads_(resident_blocks),
      branches_(kernel.code.size()),
      groups_(kMaxGroups),
      targets_(kMaxGroups) {
  if (const std::string why = mechanism->refuses(kernel); !why.empty())
    throw Error(ExitCode::Refused, fmt::format("mechanism '{}' cannot run kernel {}: {}", options.mechanism,
                                               readable_name(kernel.name), why));
  if (options.taint) follow_taint(context);
  if (options.census && mechanism->traits().block_wide) {
    census_ = std::make_unique<CompactionCensus>(kernel, context.taint.get());
    host.census = census_.get();
  }
  if (options.scores && mechanism->traits().decides) {
    scores_ = std::make_unique<DecisionScores>();
    host.scores = scores_.get();
  }
  if (options.profile) meter_ = std::make_unique<PcMeter>(kernel.code.size());
  stats.kernel = kernel.name;
  stats.grid = launch.grid;
  stats.block = launch.block;
}

void WarpEngine::start_block(BlockSlot slot, uint64_t order) {
  const Hw first = static_cast<Hw>(slot * rows_per_block_ * kRow);
  const auto threads = static_cast<unsigned>(launch_.block.count());
  context.start_block(slot, first, block_index(order, launch_.grid));
  host.start_block(slot, {first, threads, order});
  live_threads_[slot] = threads;
  ++stats.blocks;
  stats.threads += threads;
  mechanism->block_start(slot);
}

std::span<const Group> WarpEngine::groups_of(WarpId id) {
  const Warp& warp = host.warp(id);
  groups_[0] = warp.group;
  unsigned count = 1;
  if (warp.groups > 1) count = mechanism->expand(id, kernel_.code[warp.pc], groups_);
  return {groups_.data(), count};
}

void WarpEngine::charge(const Warp& warp, const Group& group, Pc first, uint64_t slots) {
  if (tracer_) tracer_({stats.issue_slots, warp, group, kernel_, *mechanism, host});
  stats.issue(slots, group.count);
  uint64_t threads = 0;
  if (group.kind == Group::Kind::Phantom) {
    stats.phantom_slots += slots;
    stats.phantom_threads += slots * group.count;
  } else {
    threads = group.count + group.along;
    stats.thread_instructions += slots * threads;
  }
  if (meter_) meter_->add(first, slots, {1, group.count, threads});
}

void WarpEngine::execute(const Instruction& instruction, const Group& group) {
  const Lanes lanes = group.lanes(), active = context.guarded(instruction, lanes);
  stats.predicated_off += lanes.mask.count() - active.mask.count();
  if (!active.mask.empty()) context.handlers[context.pc](context, instruction, active);
}

void WarpEngine::advance(WarpId id) {
  Warp& warp = host.warp(id);
  ++warp.pc;
  if (every_slot_)
    mechanism->retire(id);
  else if (warp.pc == warp.ask_at)
    mechanism->arrive(id);
}

void WarpEngine::complete(WarpId id) {
  const Warp& warp = host.warp(id);
  const Instruction& instruction = kernel_.code[warp.pc];
  context.pc = warp.pc;
  if (warp.group.kind == Group::Kind::Phantom) return mechanism->resolve(id, {});
  switch (instruction.flow) {
    case Flow::Plain: return advance(id);
    case Flow::Branch: return control(id, instruction, groups_of(id));
    case Flow::Barrier: return rendezvous.at_barrier(id, groups_of(id));
    case Flow::Sync: {
      // It executes once, for the whole static warp; the last to come is charged.
      const Pc pc = warp.pc;
      const std::span<const Group> groups = groups_of(id);
      const unsigned executed = rendezvous.at_sync(id, groups);
      if (executed > 0) charge_sync(pc, groups, executed);
      return;
    }
  }
}

void WarpEngine::charge_sync(Pc pc, std::span<const Group> groups, unsigned executed) {
  for (const Group& group : groups) {
    stats.issue(1, group.count);
    if (meter_) meter_->add(pc, 1, {1, group.count, 0});
  }
  stats.thread_instructions += executed;
  if (meter_) meter_->add(pc, 1, {0, 0, executed});
}

void WarpEngine::control(WarpId id, const Instruction& instruction, std::span<const Group> groups) {
  const BlockSlot slot = host.warp(id).block;
  const Outcome::Kind kind = outcome_kind(instruction.op);
  unsigned left = 0;
  if (kind == Outcome::Kind::Exit)
    for (const Group& group : groups) {
      for_each_lane(group.mask, [&](unsigned k) { host.exit(group.thread(k)); });
      left += group.count;
    }
  if (groups.size() == 1) {  // the targets may stay where the handler put them
    context.handlers[context.pc](context, instruction, groups[0].lanes());
    const Outcome outcome{kind, groups[0], context.targets};
    count_branch(instruction, {&outcome, 1});
    mechanism->resolve(id, {&outcome, 1});
  } else {
    std::vector<Outcome> outcomes;
    for (size_t g = 0; g < groups.size(); ++g) {
      context.handlers[context.pc](context, instruction, groups[g].lanes());
      targets_[g] = context.targets;
      outcomes.push_back({kind, groups[g], targets_[g]});
    }
    count_branch(instruction, outcomes);
    mechanism->resolve(id, outcomes);
  }
  if (left > 0) leave(slot, left);
}

void WarpEngine::count_branch(const Instruction& instruction, std::span<const Outcome> outcomes) {
  if (instruction.op != Op::Bra && instruction.op != Op::Brx) return;
  const Pc first = outcomes[0].targets[0].pc;
  const bool parted = std::any_of(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
    return outcome.targets.size() > 1 || outcome.targets[0].pc != first;
  });
  ++stats.branches;
  stats.divergent_branches += parted ? 1 : 0;
  BranchRecord& record = branches_[context.pc];
  ++record.executed;
  record.diverged += parted ? 1 : 0;
  if (context.taint) count_origins(instruction, outcomes);
}

void WarpEngine::count_origins(const Instruction& instruction, std::span<const Outcome> outcomes) {
  if (!has_choice(instruction)) return;
  BranchRecord& record = branches_[context.pc];
  for (const Outcome& outcome : outcomes) {
    record.threads += outcome.group.mask.count();
    record.data_threads += context.taint->data_branches(outcome.group.lanes()).count();
  }
  record.kind = record.data_threads > 0 ? BranchKind::Data : BranchKind::Programmatic;
}

void WarpEngine::leave(BlockSlot slot, unsigned threads) {
  live_threads_[slot] -= threads;
  if (live_threads_[slot] > 0) return rendezvous.exited(slot);
  mechanism->block_end(slot);
  rendezvous.block_end(slot);
  context.end_block(slot);
  block_done(slot);
}

bool WarpEngine::yield(std::span<const BlockSlot> running) {
  bool moved = false;
  for (BlockSlot slot : running) moved = mechanism->yield(slot) || moved;
  return moved;
}

void WarpEngine::explain(BlockSlot slot, std::string& text) const {
  const BlockState& block = context.blocks[slot];
  text += fmt::format(" block ({},{},{}), {} of {} threads alive:\n", block.index.x, block.index.y, block.index.z,
                      live_threads_[slot], block.threads);
  rendezvous.explain(slot, text);
  mechanism->explain(slot, text);
}

// Warps that are at the same place in the same state are one line.
void WarpEngine::list_warps(std::string& text) const {
  std::map<std::pair<Pc, WarpState>, unsigned> places;
  for (WarpId id = 0; id < host.size(); ++id)
    if (const Warp& warp = host.warp(id); warp.state != WarpState::Free) ++places[{warp.pc, warp.state}];
  unsigned listed = 0;
  for (const auto& [place, warps] : places) {
    if (++listed > 32) break;
    const auto [pc, state] = place;
    text += fmt::format("  {} {} {}, at {}: {}\n", warps, warps == 1 ? "warp" : "warps", words_for(state),
                        kernel_.where(pc), kernel_.text(pc));
  }
}

void WarpEngine::finish() {
  const StateCost cost = mechanism->cost();
  stats.deepest = cost.deepest;
  stats.state_bits_per_warp = cost.bits_per_warp;
  stats.state_constant = cost.constant;
  stats.likely_merges = cost.likely_merges;
  stats.counters = mechanism->counters();
  if (census_) stats.compaction = census_->stats();
  if (scores_) stats.decisions = scores_->stats();
  if (meter_) stats.by_pc = meter_->counts();
  for (Pc pc = 0; pc < branches_.size(); ++pc) {
    if (branches_[pc].executed == 0) continue;
    branches_[pc].pc = pc;
    if (census_) branches_[pc].block_wide = census_->branch(pc);
    stats.branch_records.push_back(branches_[pc]);
  }
  if (bound_) stats.fill_slots(host.warp_size());
}

}  // namespace heddle
