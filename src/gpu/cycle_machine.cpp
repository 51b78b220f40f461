#include "gpu/cycle_machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/kernel_name.h"
#include "core/occupancy.h"

namespace heddle {
namespace {

constexpr uint64_t kCyclesBetweenChecks = 16384;  // of the limits, and of whether someone wants it to stop

unsigned cores_needed(const LaunchInfo& launch, const Config& config) {
  return static_cast<unsigned>(std::min<uint64_t>(static_cast<uint64_t>(config.integer("cores")), launch.grid.count()));
}

}  // namespace

CycleMachine::CycleMachine(const Kernel& kernel, const LaunchInfo& launch, GlobalMemory& memory,
                           const std::vector<std::byte>& constants, const Config& config, const GpuOptions& options,
                           bool cooperative, MemorySystem& system, const Clocks& clocks, Tick& now)
    : kernel_(kernel),
      launch_(launch),
      options_(options),
      parameters_(CoreParameters::from(config)),
      clocks_(clocks),
      system_(system),
      now_(now),
      begin_(clocks.core.at_or_after(now)),
      start_(begin_ + static_cast<uint64_t>(config.integer("launch_overhead"))),
      block_interval_(static_cast<uint64_t>(config.integer("block_interval"))),
      wheel_(cores_needed(launch, config), start_),
      memory_before_(system.stats()),
      grid_blocks_(launch.grid.count()),
      max_slots_(static_cast<uint64_t>(config.integer("max_slots"))),
      spin_(static_cast<uint64_t>(config.integer("spin_limit"))),
      max_cycles_(static_cast<uint64_t>(config.integer("max_cycles"))),
      stall_limit_(static_cast<uint64_t>(config.integer("stall_limit"))),
      check_every_(std::min({kCyclesBetweenChecks, max_cycles_ > 0 ? max_cycles_ : kCyclesBetweenChecks,
                             stall_limit_ > 0 ? stall_limit_ : kCyclesBetweenChecks})) {
  if (mechanism_named(options.mechanism).bound)
    throw Error(ExitCode::Refused, fmt::format("'{}' is a bound on issue slots, not a machine: it has no cycles, only "
                                               "emulation (--emulate)",
                                               options.mechanism));
  const unsigned resident = occupancy(kernel, launch, config);
  const unsigned cores = cores_needed(launch, config);
  if (cooperative && grid_blocks_ > uint64_t{resident} * cores)
    throw Error(ExitCode::BadLaunch,
                fmt::format("a cooperative launch of {} blocks of {} does not fit: {} cores hold {} blocks each",
                            grid_blocks_, readable_name(kernel.name), config.integer("cores"), resident));
  if (parameters_.register_scoreboard) uses_ = std::make_unique<RegisterUses>(kernel);
  const uint64_t share = (grid_blocks_ + cores - 1) / cores;  // rows are only reserved where blocks may come
  for (unsigned i = 0; i < cores; ++i) {
    LaunchInfo own = launch;
    own.core = i;
    const auto blocks = static_cast<unsigned>(std::min<uint64_t>(resident, cooperative ? resident : share));
    Site site;
    site.engine = std::make_unique<WarpEngine>(kernel, own, memory, constants, config, options.engine(), blocks);
    auto scheduler = make_scheduler(scheduler_named(options.schedule), site.engine->host(), config);
    site.core = std::make_unique<Core>(i, parameters_, uses_.get(), *site.engine, std::move(scheduler), system,
                                       clocks.core, begin_);
    for (unsigned id = blocks; id-- > 0;) site.free.push_back(static_cast<BlockId>(id));
    engines_.push_back(site.engine.get());
    sites_.push_back(std::move(site));
  }
  for (const std::shared_ptr<Observer>& observer : options.observers)
    if (const uint64_t every = observer->sample_every(); every > 0) series_.push_back({observer.get(), begin_ + every});
  progress_at_ = start_;
  stats_.kernel = kernel.name;
  stats_.grid = launch.grid;
  stats_.block = launch.block;
  stats_.interleaved = true;
  TimingStats& timing = stats_.timing.emplace();
  timing.blocks_per_core = resident;
  timing.core_mhz = static_cast<unsigned>(config.integer("core_clock"));
  timing.memory_mhz = static_cast<unsigned>(config.integer("memory_clock"));
  timing.channels = static_cast<unsigned>(config.integer("channels"));
  timing.dram_bytes_per_cycle = static_cast<unsigned>(config.integer("dram_bytes_per_cycle"));
}

std::vector<Context*> CycleMachine::contexts() {
  std::vector<Context*> all;
  for (Site& site : sites_) all.push_back(&site.engine->context());
  return all;
}

void CycleMachine::run() {
  try {
    now_ = clocks_.core.time(start_);
    fill_cores();
    while (!done()) {
      step();
      if (now_ >= next_check_) check_limits();
    }
  } catch (...) {  // whatever happens, the statistics are complete as far as it came
    gather();
    throw;
  }
  gather();
  system_.check();
  check_cores();
}

// The first blocks, one to each core in turn.
void CycleMachine::fill_cores() {
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0; i < sites_.size(); ++i) {
      if (!takes_block(sites_[i]) || sites_[i].next_start > start_) continue;
      start_next_block(i, start_);
      more = true;
    }
  }
}

void CycleMachine::start_next_block(unsigned core, CoreCycle cycle) {
  Site& site = sites_[core];
  const BlockId block = site.free.back();
  site.free.pop_back();
  site.core->start_block(block, next_block_++, cycle);
  site.next_start = cycle + block_interval_;
  wheel_.set(core, next_of(site));
}

bool CycleMachine::takes_block(const Site& site) const { return next_block_ < grid_blocks_ && !site.free.empty(); }

// When the core has something to do, or is to get a block that must wait.
CoreCycle CycleMachine::next_of(const Site& site) const {
  const bool waits = takes_block(site) && block_interval_ > 0;
  return waits ? std::min(site.core->next(), site.next_start) : site.core->next();
}

Tick CycleMachine::next_time() const {
  if (!options_.skip)  // every edge of every clock
    return std::min({clocks_.core.time(clocks_.core.after(now_)), clocks_.network.time(clocks_.network.after(now_)),
                     clocks_.memory.time(clocks_.memory.after(now_))});
  const CoreCycle cycle = wheel_.next();
  return std::min(cycle == kNever ? kNever : clocks_.core.time(cycle), system_.next());
}

void CycleMachine::step() {
  const Tick time = next_time();
  require(time != kNever, "all parts sleep, and the launch has not ended");
  if (!series_.empty()) take_samples(clocks_.core.at_or_after(time));
  now_ = time;
  system_.before_cores(now_);
  const CoreCycle arrives = clocks_.core.at_or_after(now_);
  for (const Reply& reply : system_.replies()) {
    Core& core = *sites_[reply.core].core;
    core.reply(reply.tag, arrives);
    wheel_.wake_by(reply.core, core.next());
  }
  if (clocks_.core.edge(now_)) tick_cores(arrives);
  system_.after_cores(now_);
  for (uint16_t core : system_.freed())
    if (core < sites_.size() && sites_[core].core->wants_room()) wheel_.wake_by(core, clocks_.core.after(now_));
}

void CycleMachine::tick_cores(CoreCycle cycle) {
  wheel_.advance(cycle);
  if (options_.skip)
    wheel_.take(cycle, [&](unsigned i) { tick_core(i, cycle); });
  else
    for (unsigned i = 0; i < sites_.size(); ++i) tick_core(i, cycle);
}

void CycleMachine::tick_core(unsigned index, CoreCycle cycle) {
  Site& site = sites_[index];
  Core& core = *site.core;
  core.tick(cycle);
  if (!core.left().empty()) {
    site.free.insert(site.free.end(), core.left().begin(), core.left().end());
    core.forget_left();
  }
  while (takes_block(site) && site.next_start <= cycle) start_next_block(index, cycle);
  if (core.stuck())
    report(fmt::format("deadlock in kernel {} under '{}': no thread can go on", readable_name(kernel_.name),
                       options_.mechanism));
  wheel_.set(index, next_of(site));
}

bool CycleMachine::done() const {
  if (next_block_ < grid_blocks_) return false;
  return std::all_of(sites_.begin(), sites_.end(), [](const Site& site) { return site.core->idle(); }) &&
         system_.quiet();
}

uint64_t CycleMachine::resident_blocks() const {
  uint64_t blocks = 0;
  for (const Site& site : sites_) blocks += site.core->running().size();
  return blocks;
}

void CycleMachine::check_limits() {
  const uint64_t slots = issue_slots();
  const CoreCycle cycle = clocks_.core.at_or_after(now_);
  next_check_ = clocks_.core.time(cycle + check_every_);
  if (options_.progress) options_.progress->at(slots, next_block_ - resident_blocks());
  if (options_.stop && options_.stop->load(std::memory_order_relaxed))
    throw Error(ExitCode::Interrupted, "interrupted");
  if (slots != slots_seen_) progress_at_ = cycle;
  slots_seen_ = slots;
  if (max_slots_ > 0 && slots >= max_slots_)
    report(fmt::format("kernel {} has not ended after {} issue slots (max_slots)", readable_name(kernel_.name), slots));
  if (spin_.due(slots) && spin_.spins(slots, engines_))
    report(fmt::format("kernel {} spins under '{}': no thread has come to anything new in {} issue slots (spin_limit)",
                       readable_name(kernel_.name), options_.mechanism, spin_.limit()));
  if (max_cycles_ > 0 && cycle - start_ >= max_cycles_)
    report(fmt::format("kernel {} has not ended after {} cycles (max_cycles)", readable_name(kernel_.name),
                       cycle - start_));
  if (stall_limit_ > 0 && cycle - progress_at_ >= stall_limit_)
    report(fmt::format("kernel {} has issued nothing for {} cycles (stall_limit)", readable_name(kernel_.name),
                       cycle - progress_at_));
}

void CycleMachine::report(const std::string& what) {
  std::string text = what + "\n";
  unsigned listed = 0;
  for (size_t i = 0; i < sites_.size() && listed < 2; ++i) {
    if (sites_[i].core->running().empty()) continue;
    text += fmt::format("core {}, cycle {}:\n", i, clocks_.core.at_or_after(now_).count());
    explain_spinning(*sites_[i].engine, text);
    sites_[i].core->explain(text);
    ++listed;
  }
  system_.explain(text);
  throw Error(ExitCode::Deadlock, text);
}

uint64_t CycleMachine::issue_slots() const {
  uint64_t slots = 0;
  for (const Site& site : sites_) slots += site.engine->stats().issue_slots;
  return slots;
}

void CycleMachine::take_samples(CoreCycle upto) {
  for (Series& series : series_)
    for (; series.next <= upto; series.next += series.observer->sample_every()) {
      for (Site& site : sites_) site.core->settle(series.next);
      series.observer->sampled(sample_at(series.next));
    }
}

Sample CycleMachine::sample_at(CoreCycle cycle) const {
  Sample sample;
  sample.cycle = cycle - begin_;
  for (const Site& site : sites_) {
    sample.thread_instructions += site.engine->stats().thread_instructions;
    sample.issue_slots += site.engine->stats().issue_slots;
    sample.cores.add(site.core->stats());
  }
  const uint64_t unused = (launch_.cores - sites_.size()) * sample.cycle;  // cores that got no block
  sample.cores.w0_idle += unused;
  sample.cores.empty += unused;
  sample.memory = system_.stats().since(memory_before_);
  return sample;
}

// The launch has ended, or was given up, in the cycle of now_.
void CycleMachine::gather() {
  TimingStats& timing = *stats_.timing;
  CoreCycle end = clocks_.core.at_or_after(now_) + 1;
  for (const Site& site : sites_) end = std::max(end, site.core->accounted());
  now_ = clocks_.core.time(end);
  timing.cycles = end - begin_;
  for (Site& site : sites_) {
    site.core->finish(end);
    site.engine->finish();
    timing.cores.push_back(site.core->stats());
    stats_.add(site.engine->stats());
  }
  CoreStats idle;  // of cores that had no block
  idle.w0_idle = idle.empty = timing.cycles;
  timing.cores.resize(launch_.cores, idle);
  timing.memory = system_.stats().since(memory_before_);
  for (const std::shared_ptr<Observer>& observer : options_.observers) observer->launch_ended(stats_);
  check_breakdown();
}

// When all is quiet, all that was asked has been answered.
void CycleMachine::check_cores() const {
  const CoreStats all = stats_.timing->all_cores();
  for (const CacheStats* cache : {&all.l1, &all.constant, &all.texture, &all.instruction})
    require(cache->misses() == cache->fills + cache->merges + cache->unfetched, "misses are not fills and merges");
  require(stats_.blocks == grid_blocks_, "a block was lost");
}

void CycleMachine::check_breakdown() const {
  for (const CoreStats& core : stats_.timing->cores)
    require(core.cycles() == stats_.timing->cycles, "the breakdown of a core does not sum to its cycles");
}

}  // namespace heddle
