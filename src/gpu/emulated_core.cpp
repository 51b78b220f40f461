#include "gpu/emulated_core.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "base/kernel_name.h"
#include "core/occupancy.h"
#include "exec/touches.h"

namespace heddle {
namespace {

constexpr unsigned kQuantum = 4096;  // slots a warp may run before another gets its turn
constexpr unsigned kPatience = 16;   // quanta of every warp in which a block should end

// Who hears of what warps do when they come to a branch.
constexpr uint32_t kAtBranches = Observer::kIssues | Observer::kBranches | Observer::kWarps | Observer::kMerges |
                                 Observer::kArrivals | Observer::kJumps;

// Is there room for so much in this process? Others may take some of it meanwhile.
bool can_reserve(uint64_t bytes) {
  void* const at = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return false;
  munmap(at, bytes);
  return true;
}

}  // namespace

EmulatedCore::Room EmulatedCore::Room::of(const EmulatedLaunch& launch) {
  const uint64_t grid = launch.info.grid.count(), threads = uint64_t{rows_of(launch.info)} * kRow;
  if (launch.cooperative) {
    if (grid * threads > Hw::kLast)
      throw Error(ExitCode::BadLaunch, fmt::format("a cooperative launch of {} threads does not fit: at most {}",
                                                   grid * threads, Hw::kLast));
    return {static_cast<unsigned>(grid), static_cast<unsigned>(grid)};
  }
  const uint64_t fit = occupancy(launch.kernel, launch.info, launch.config);
  const auto wanted = static_cast<uint64_t>(launch.config.integer("resident_blocks"));
  uint64_t most = std::min(grid, std::max(fit, std::min(wanted, Hw::kLast / threads)));
  if (most > fit && !can_reserve(2 * most * threads * Context::kLocalBytes)) most = fit;
  return {static_cast<unsigned>(std::min(fit, grid)), static_cast<unsigned>(std::min(most, grid))};
}

EmulatedCore::EmulatedCore(const EmulatedLaunch& launch, const GpuOptions& options, Room room)
    : kernel_(launch.kernel),
      options_(options),
      room_(room),
      engine_(launch.kernel, launch.info, launch.memory, launch.constants, launch.config, options.engine(), room.most),
      grid_blocks_(launch.info.grid.count()),
      max_slots_(static_cast<uint64_t>(launch.config.integer("max_slots"))),
      spin_(static_cast<uint64_t>(launch.config.integer("spin_limit"))),
      traits_(engine_.traits()),
      interleave_(traits_.interleave || launch.config.boolean("interleave")),
      simple_(!engine_.host().watch.wants(Observer::kSteps) && !traits_.every_slot),
      quiet_jumps_(simple_ && !engine_.host().watch.wants(Observer::kWarps)),
      in_turn_(!engine_.host().watch.wants(Observer::kSteps | Observer::kWarps) && traits_.wishes),
      by_rows_(simple_ && !engine_.host().watch.wants(Observer::kIssues) && !engine_.context().taint &&
               !engine_.context().monitor),
      puts_off_(by_rows_ && traits_.by_static_warp),
      goes_alone_(puts_off_ && !engine_.host().watch.wants(kAtBranches)),
      rows_per_block_(rows_of(launch.info)),
      scheduler_(make_scheduler(scheduler_named(options.schedule), engine_.host(), launch.config)),
      patience_(uint64_t{kPatience} * kQuantum * rows_of(launch.info) * room.now) {
  if (!kernel_.spin_loops.empty()) asks_at_.resize(kernel_.code.size() + 1);
  follows_ = simple_ && asks_at_.empty() && !engine_.host().watch.wants(Observer::kIssues);
  for (uint32_t header : kernel_.spin_loops) asks_at_[kernel_.blocks[header].begin] = true;
  launch.prepare(engine_.context());
  if (simple_ && !interleave_ && !engine_.host().watch.wants(kAtBranches) && !engine_.context().taint &&
      !engine_.context().monitor)
    engine_.let_gather();
  engine_.context().tells = engine_.context().taint || engine_.context().monitor ? Tells::All : Tells::Nothing;
  engine_.on_block_done([this](BlockId block) {
    std::erase(running_, block);
    free_blocks_.push_back(block);
    last_end_ = slots();
    admit_blocks();
  });
}

void EmulatedCore::run(uint64_t first, uint64_t end) {
  next_block_ = first;
  end_ = end;
  free_blocks_.clear();
  for (unsigned block = engine_.resident(); block-- > 0;) free_blocks_.push_back(static_cast<BlockId>(block));
  engine_.host().renew_ids();
  admit_blocks();
  run_blocks();
}

KernelStats EmulatedCore::gather() {
  engine_.catch_up_all();
  engine_.finish();
  KernelStats stats = engine_.stats();
  stats.interleaved = interleave_;
  for (const std::shared_ptr<Observer>& observer : options_.observers) observer->launch_ended(stats);
  return stats;
}

void EmulatedCore::run_blocks() {
  while (!running_.empty()) {
    const uint64_t before = engine_.context().clock;  // also moves when a thread waits for others without being charged
    if (interleave_) {
      run_scheduled();
    } else {
      const WarpSet& ready = engine_.host().ready();
      for (WarpId id = ready.next_from(0); id != kNoWarp; id = ready.next_from(id + 1U)) run_warp(id, kQuantum);
    }
    if (engine_.context().clock == before) resolve_stall();
    check_limits();
  }
}

void EmulatedCore::admit_blocks() {
  while (next_block_ < end_ && running_.size() < room_.now) {
    const BlockId block = free_blocks_.back();
    free_blocks_.pop_back();
    running_.push_back(block);
    engine_.start_block(block, next_block_++);
  }
}

// Those that are resident may be waiting for the others.
bool EmulatedCore::admit_all() {
  if (next_block_ == grid_blocks_ || room_.now == room_.most) return false;
  room_.now = room_.most;
  end_ = grid_blocks_;
  admit_blocks();
  return true;
}

uint64_t EmulatedCore::unchecked() const {
  const uint64_t slots = this->slots();
  uint64_t left = std::min<uint64_t>(kQuantum, std::max(spin_.next_look(), slots) - slots);
  if (max_slots_ > 0) left = std::min(left, max_slots_ - slots);
  if (next_block_ < end_) left = std::min(left, last_end_ + patience_ - slots + 1);
  return left;
}

void EmulatedCore::run_warp(WarpId id, unsigned budget) {
  while (budget > 0 && engine_.host().warp(id).state == WarpState::Ready) {
    const Warp& warp = engine_.host().warp(id);
    if (warp.gathers) {
      budget -= engine_.run_gathering(id, budget);
      if (asks_again(id)) return;
      continue;
    }
    if (by_rows_ && warp.groups > 1)
      if (const unsigned used = engine_.run_large(id, budget); used > 0) {
        budget -= used;
        continue;
      }
    bool plain = kernel_.code[warp.pc].flow == Flow::Plain;
    if (simple_ && warp.groups == 1 && warp.group.kind != Group::Kind::Phantom) {
      const unsigned used = engine_.run_plain(id, budget, follows_);
      budget -= used;
      const Warp& now = engine_.host().warp(id);
      plain = kernel_.code[now.pc].flow == Flow::Plain;
      if (used > 0 && (budget == 0 || now.state != WarpState::Ready || now.gathers || plain)) continue;
      if (follows_ || !engine_.jump(id)) engine_.issue_at_once(id);
    } else {
      engine_.issue_at_once(id);
    }
    --budget;
    if (!plain && asks_again(id)) return;
  }
}

// A trip begins behind a branch, not where a warp comes to the loop by what only computes.
bool EmulatedCore::asks_again(WarpId id) const { return !asks_at_.empty() && asks_at_[engine_.host().warp(id).pc]; }

void EmulatedCore::check_limits() {
  const uint64_t slots = this->slots();
  if (options_.progress) options_.progress->at(slots, next_block_ - running_.size());
  if (options_.stop && options_.stop->load(std::memory_order_relaxed))
    throw Error(ExitCode::Interrupted, "interrupted");
  if (leave_ && leave_->load(std::memory_order_relaxed)) throw Conflict();
  if (max_slots_ > 0 && slots >= max_slots_)
    give_up(
        fmt::format("kernel {} has not ended after {} issue slots (max_slots)", readable_name(kernel_.name), slots));
  if (next_block_ < end_ && slots - last_end_ > patience_) admit_all();
  const WarpEngine* const engine = &engine_;
  if (spin_.due(slots)) engine_.catch_up_all();
  if (spin_.due(slots) && spin_.spins(slots, {&engine, 1}) && !admit_all())
    give_up(fmt::format("kernel {} spins under '{}': no thread has come to anything new in {} issue slots (spin_limit)",
                        readable_name(kernel_.name), options_.mechanism, spin_.limit()));
}

void EmulatedCore::give_up(std::string text) {
  text += "; its warps are at:\n";
  engine_.catch_up_all();
  engine_.mechanism().name_groups();
  engine_.list_warps(text);
  explain_spinning(engine_, text);
  throw Error(ExitCode::Deadlock, text);
}

// Nobody could issue: a mechanism may know another path.
void EmulatedCore::resolve_stall() {
  engine_.catch_up_all();
  if (engine_.mechanism().starved()) return;
  std::string text = fmt::format("deadlock in kernel {} under '{}': no thread can go on\n", readable_name(kernel_.name),
                                 options_.mechanism);
  for (size_t i = 0; i < running_.size() && i < 2; ++i) engine_.explain(running_[i], text);
  throw Error(ExitCode::Deadlock, text);
}

}  // namespace heddle
