#include "gpu/emulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "exec/handlers.h"

namespace heddle {
namespace {

constexpr unsigned kQuantum = 4096;   // slots a warp may run before another gets its turn
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

unsigned rows_of(const LaunchInfo& launch) { return static_cast<unsigned>((launch.block.count() + kRow - 1) / kRow); }

unsigned resident_blocks(const Kernel& kernel, const LaunchInfo& launch, const Config& config, bool cooperative) {
  if (!cooperative) {
    const unsigned fit = occupancy(kernel, launch, config);
    return static_cast<unsigned>(std::min<uint64_t>(fit, launch.grid.count()));
  }
  const uint64_t rows = launch.grid.count() * rows_of(launch);
  if (rows * kRow > std::numeric_limits<Hw>::max())
    throw Error(ExitCode::BadLaunch, fmt::format("a cooperative launch of {} threads does not fit: at most {}",
                                                 rows * kRow, std::numeric_limits<Hw>::max()));
  return static_cast<unsigned>(launch.grid.count());
}

}  // namespace

unsigned occupancy(const Kernel& kernel, const LaunchInfo& launch, const Config& config) {
  const CoreLimits limits = core_limits(config);
  const unsigned threads = rows_of(launch) * kRow;
  const uint64_t registers = uint64_t{kernel.peak_registers} * threads;
  const uint64_t shared = uint64_t{kernel.dynamic_shared} + launch.dynamic_shared;
  const auto refuse = [&](const std::string& what) {
    throw Error(ExitCode::BadLaunch, fmt::format("a block of {} does not fit a core: {}", kernel.name, what));
  };
  if (launch.block.count() > limits.threads)
    refuse(fmt::format("{} threads of {}", launch.block.count(), limits.threads));
  if (shared > limits.shared) refuse(fmt::format("{} bytes of shared memory of {}", shared, limits.shared));
  if (registers > limits.registers)
    refuse(fmt::format("{} registers of {} ({} per thread)", registers, limits.registers, kernel.peak_registers));
  uint64_t fit = std::min<uint64_t>(limits.blocks, std::max(1U, limits.threads / threads));
  if (shared > 0) fit = std::min<uint64_t>(fit, limits.shared / shared);
  if (registers > 0) fit = std::min<uint64_t>(fit, limits.registers / registers);
  return static_cast<unsigned>(fit);
}

Emulation::Emulation(const Kernel& kernel, const LaunchInfo& launch, GlobalMemory& memory,
                     std::vector<std::byte> constants, const Config& config, const EmulationOptions& options,
                     bool cooperative)
    : kernel_(kernel),
      launch_(launch),
      options_(options),
      context_(kernel, launch, memory, std::move(constants),
               resident_blocks(kernel, launch, config, cooperative) * rows_of(launch)),
      host_(kernel, static_cast<unsigned>(config.integer("warp_size")), options.lanes),
      mechanism_(mechanism_named(options.mechanism).make(host_, config)),
      rendezvous_(context_, host_, *mechanism_),
      branches_at_(kernel.code.size()),
      diverged_at_(kernel.code.size()),
      resident_(resident_blocks(kernel, launch, config, cooperative)),
      rows_per_block_(rows_of(launch)),
      grid_blocks_(launch.grid.count()),
      max_slots_(static_cast<uint64_t>(config.integer("max_slots"))),
      live_threads_(resident_),
      groups_(kMaxGroups),
      targets_(kMaxGroups) {
  if (const std::string why = mechanism_->refuses(kernel); !why.empty())
    throw Error(ExitCode::Refused,
                fmt::format("mechanism '{}' cannot run kernel {}: {}", options.mechanism, kernel.name, why));
  for (unsigned slot = resident_; slot-- > 0;) free_slots_.push_back(static_cast<BlockSlot>(slot));
  const Traits traits = mechanism_->traits();
  interleave_ = traits.interleave || config.boolean("interleave");
  simple_ = !options.tracer && !traits.every_slot && !interleave_;
  scheduler_ = scheduler_named(options.schedule).make();
  stats_.kernel = kernel.name;
  stats_.grid = launch.grid;
  stats_.block = launch.block;
  stats_.interleaved = interleave_;
}

void Emulation::run() {
  struct Finally {  // whatever happens, the statistics are complete as far as it came
    Emulation& self;
    ~Finally() {
      const StateCost cost = self.mechanism_->cost();
      self.stats_.deepest = cost.deepest;
      self.stats_.state_bits_per_warp = cost.bits_per_warp;
      self.stats_.state_constant = cost.constant;
      for (Pc pc = 0; pc < self.branches_at_.size(); ++pc)
        if (self.branches_at_[pc] > 0)
          self.stats_.branch_records.push_back({pc, self.branches_at_[pc], self.diverged_at_[pc]});
    }
  } finally{*this};
  admit_blocks();
  while (!running_.empty()) {
    const uint64_t before = context_.clock;  // also moves when a thread waits for others without being charged
    if (interleave_) {
      step_scheduled();
    } else {
      for (WarpId id = 0; id < host_.size(); ++id)
        if (host_.warp(id).state == WarpState::Ready) run_warp(id, kQuantum);
    }
    if (context_.clock == before) resolve_stall();
    check_limits();
  }
}

void Emulation::admit_blocks() {
  while (next_block_ < grid_blocks_ && !free_slots_.empty()) {
    const BlockSlot slot = free_slots_.back();
    free_slots_.pop_back();
    running_.push_back(slot);
    const Hw first = static_cast<Hw>(slot * rows_per_block_ * kRow);
    const auto threads = static_cast<unsigned>(launch_.block.count());
    context_.start_block(slot, first, block_index(next_block_, launch_.grid));
    host_.start_block(slot, {first, threads, next_block_});
    live_threads_[slot] = threads;
    ++next_block_;
    ++stats_.blocks;
    stats_.threads += threads;
    mechanism_->block_start(slot);
  }
}

void Emulation::retire_block(BlockSlot slot) {
  mechanism_->block_end(slot);
  rendezvous_.block_end(slot);
  context_.end_block(slot);
  std::erase(running_, slot);
  free_slots_.push_back(slot);
  admit_blocks();
}

void Emulation::step_scheduled() {
  candidates_.clear();
  uint32_t smallest = std::numeric_limits<uint32_t>::max();
  for (WarpId id = 0; id < host_.size(); ++id) {
    const Warp& warp = host_.warp(id);
    if (warp.state != WarpState::Ready || warp.key > smallest) continue;
    if (warp.key < smallest) candidates_.clear();
    smallest = warp.key;
    candidates_.push_back({id, warp.age});
  }
  if (!candidates_.empty()) issue_one(candidates_[scheduler_->choose(candidates_)].warp);
}

void Emulation::run_warp(WarpId id, unsigned budget) {
  while (budget > 0 && host_.warp(id).state == WarpState::Ready) {
    Warp& warp = host_.warp(id);
    if (simple_ && warp.groups == 1 && warp.group.kind != Group::Kind::Phantom) {
      const unsigned used = run_plain(warp, budget);
      budget -= used;
      if (used > 0 && warp.pc == warp.ask_at) {
        mechanism_->arrive(id);
        continue;
      }
      if (budget == 0) return;
    }
    issue_one(id);
    --budget;
  }
}

// Runs plain instructions until a control instruction, ask_at or the end of the budget. The mask does not change on
// the way, so that statistics are counted once for all of them.
unsigned Emulation::run_plain(Warp& warp, unsigned budget) {
  const Lanes lanes = warp.group.lanes();
  const Instruction* const code = kernel_.code.data();
  const Handler* const handlers = context_.handlers.data();
  const Pc ask_at = warp.ask_at;
  Pc pc = warp.pc;
  unsigned used = 0;
  while (used < budget) {
    const Instruction& instruction = code[pc];
    if (instruction.flow != Flow::Plain) break;
    context_.pc = pc;
    if (instruction.guarded()) [[unlikely]] {
      const Lanes active = context_.guarded(instruction, lanes);
      stats_.predicated_off += lanes.mask.count() - active.mask.count();
      if (!active.mask.empty()) handlers[pc](context_, instruction, active);
    } else {
      handlers[pc](context_, instruction, lanes);
    }
    ++used;
    if (++pc == ask_at) break;
  }
  warp.pc = pc;
  context_.clock += used;
  charge(warp.group, used);
  return used;
}

void Emulation::charge(const Group& group, uint64_t slots) {
  stats_.issue(slots, group.count);
  if (group.kind == Group::Kind::Phantom) {
    stats_.phantom_slots += slots;
    stats_.phantom_threads += slots * group.count;
  } else {
    stats_.thread_instructions += slots * (group.count + group.along);
  }
}

void Emulation::execute_plain(const Instruction& instruction, const Group& group) {
  const Lanes lanes = group.lanes(), active = context_.guarded(instruction, lanes);
  stats_.predicated_off += lanes.mask.count() - active.mask.count();
  if (!active.mask.empty()) context_.handlers[context_.pc](context_, instruction, active);
}

void Emulation::issue_one(WarpId id) {
  const Pc pc = host_.warp(id).pc;
  const Instruction& instruction = kernel_.code[pc];
  unsigned count = 1;
  groups_[0] = host_.warp(id).group;
  if (host_.warp(id).groups > 1) count = mechanism_->expand(id, instruction, groups_);
  const std::span<const Group> groups(groups_.data(), count);
  context_.pc = pc;
  for (const Group& group : groups) {
    if (options_.tracer) trace(host_.warp(id), group);
    if (instruction.flow != Flow::Sync) charge(group);
    ++context_.clock;
  }
  if (groups[0].kind == Group::Kind::Phantom) {
    mechanism_->resolve(id, {});
    return;
  }
  switch (instruction.flow) {
    case Flow::Plain:
      for (const Group& group : groups) execute_plain(instruction, group);
      ++host_.warp(id).pc;
      if (mechanism_->traits().every_slot)
        mechanism_->retire(id);
      else if (host_.warp(id).pc == host_.warp(id).ask_at)
        mechanism_->arrive(id);
      break;
    case Flow::Branch: execute_control(id, instruction, groups); break;
    case Flow::Barrier: rendezvous_.at_barrier(id, groups); break;
    case Flow::Sync: {
      // It executes once, for the whole static warp; the last to come is charged.
      const unsigned executed = rendezvous_.at_sync(id, groups);
      for (const Group& group : groups.first(executed > 0 ? groups.size() : 0)) stats_.issue(1, group.count);
      stats_.thread_instructions += executed;
      break;
    }
  }
}

void Emulation::execute_control(WarpId id, const Instruction& instruction, std::span<const Group> groups) {
  const BlockSlot slot = host_.warp(id).block;
  const Outcome::Kind kind = outcome_kind(instruction.op);
  unsigned left = 0;
  if (kind == Outcome::Kind::Exit)
    for (const Group& group : groups) {
      for_each_lane(group.mask, [&](unsigned k) { host_.exit(group.thread(k)); });
      left += group.count;
    }
  if (groups.size() == 1) {  // the targets may stay where the handler put them
    context_.handlers[context_.pc](context_, instruction, groups[0].lanes());
    const Outcome outcome{kind, groups[0], context_.targets};
    count_branch(instruction, {&outcome, 1});
    mechanism_->resolve(id, {&outcome, 1});
  } else {
    std::vector<Outcome> outcomes;
    for (size_t g = 0; g < groups.size(); ++g) {
      context_.handlers[context_.pc](context_, instruction, groups[g].lanes());
      targets_[g] = context_.targets;
      outcomes.push_back({kind, groups[g], targets_[g]});
    }
    count_branch(instruction, outcomes);
    mechanism_->resolve(id, outcomes);
  }
  if (left > 0) leave(slot, left);
}

void Emulation::count_branch(const Instruction& instruction, std::span<const Outcome> outcomes) {
  if (instruction.op != Op::Bra && instruction.op != Op::Brx) return;
  const Pc first = outcomes[0].targets[0].pc;
  const bool parted = std::any_of(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
    return outcome.targets.size() > 1 || outcome.targets[0].pc != first;
  });
  ++stats_.branches;
  ++branches_at_[context_.pc];
  stats_.divergent_branches += parted ? 1 : 0;
  diverged_at_[context_.pc] += parted ? 1 : 0;
}

void Emulation::leave(BlockSlot slot, unsigned threads) {
  live_threads_[slot] -= threads;
  if (live_threads_[slot] == 0)
    retire_block(slot);
  else
    rendezvous_.exited(slot);
}

void Emulation::trace(const Warp& warp, const Group& group) {
  options_.tracer({stats_.issue_slots, warp, group, kernel_, *mechanism_, host_});
}

void Emulation::check_limits() {
  if (options_.progress) options_.progress->store(stats_.issue_slots, std::memory_order_relaxed);
  if (options_.stop && *options_.stop) throw Error(ExitCode::Interrupted, "interrupted");
  if (max_slots_ == 0 || stats_.issue_slots < max_slots_) return;
  std::string text = fmt::format("kernel {} has not ended after {} issue slots (max_slots); its warps are at:\n",
                                 kernel_.name, stats_.issue_slots);
  unsigned listed = 0;
  for (WarpId id = 0; id < host_.size() && listed < 8; ++id) {
    const Warp& warp = host_.warp(id);
    if (warp.state == WarpState::Free) continue;
    text += fmt::format("  {}: {}\n", kernel_.where(warp.pc), kernel_.text(warp.pc));
    ++listed;
  }
  throw Error(ExitCode::Deadlock, text);
}

// Nobody could issue: a mechanism may know another path.
void Emulation::resolve_stall() {
  bool moved = false;
  for (BlockSlot slot : std::vector<BlockSlot>(running_)) moved = mechanism_->yield(slot) || moved;
  if (!moved) report_deadlock();
}

void Emulation::report_deadlock() {
  std::string text =
      fmt::format("deadlock in kernel {} under '{}': no thread can go on\n", kernel_.name, options_.mechanism);
  unsigned listed = 0;
  for (BlockSlot slot : running_) {
    if (++listed > 2) break;
    const Dim3 index = context_.blocks[slot].index;
    text += fmt::format(" block ({},{},{}), {} of {} threads alive:\n", index.x, index.y, index.z, live_threads_[slot],
                        context_.blocks[slot].threads);
    rendezvous_.explain(slot, text);
    mechanism_->explain(slot, text);
  }
  throw Error(ExitCode::Deadlock, text);
}

}  // namespace heddle
