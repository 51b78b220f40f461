#include "gpu/cycle_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/kernel_name.h"
#include "core/occupancy.h"
#include "exec/global_order.h"
#include "schedule/registry.h"

namespace heddle {
namespace {

constexpr uint64_t kCyclesBetweenChecks = 16384;  // of the limits, and of whether someone wants it to stop

CoreParameters parameters_of(const Kernel& kernel, const LaunchInfo& launch, const Config& config, unsigned resident) {
  CoreParameters parameters = CoreParameters::from(config);
  parameters.l1.bytes = l1_bytes_beside(kernel, launch, config, resident);
  return parameters;
}

unsigned shortest_access(const Kernel& kernel, const IssueTable& table, const CoreParameters& parameters) {
  unsigned cycles = parameters.unit(Unit::Memory).latency;
  for (Pc pc = 0; pc < kernel.code.size(); ++pc)
    if (touches_memory(kernel.code[pc].op) && table.costs[pc].slots > 0)
      cycles = std::min<unsigned>(cycles, table.costs[pc].latency);
  return std::max(1u, cycles);
}

uint64_t number(const Config& config, std::string_view key) { return static_cast<uint64_t>(config.integer(key)); }

}  // namespace

CycleLaunch::CycleLaunch(What what, GlobalMemory& memory, const Config& config, MemorySystem& system,
                         const Clocks& clocks, CoreCycle begin)
    : what_(std::move(what)),
      memory_(memory),
      config_(config),
      options_(what_.options),
      resident_(occupancy(what_.kernel, what_.info, config)),
      parameters_(parameters_of(what_.kernel, what_.info, config, resident_)),
      clocks_(clocks),
      system_(system),
      table_(what_.kernel, parameters_),
      hidden_cycles_(shortest_access(what_.kernel, table_, parameters_)),
      cores_needed_(static_cast<unsigned>(std::min<uint64_t>(number(config, "cores"), what_.info.grid.count()))),
      grid_blocks_(what_.info.grid.count()),
      side_by_side_(may_go_side_by_side()),
      read_only_(what_.kernel, memory, what_.constants.get()),
      begin_(begin),
      start_(begin_ + number(config, "launch_overhead")),
      drain_(number(config, "launch_drain")),
      flush_(number(config, "launch_flush")),
      block_interval_(number(config, "block_interval")),
      block_latency_(number(config, "block_latency")),
      block_clock_(number(config, "block_clock") > 0),
      end_clock_(number(config, "block_end_clock") > 0),
      memory_before_(system.stats()),
      max_slots_(number(config, "max_slots")),
      spin_(number(config, "spin_limit")),
      max_cycles_(number(config, "max_cycles")),
      stall_limit_(number(config, "stall_limit")),
      check_every_(std::min({kCyclesBetweenChecks, max_cycles_ > 0 ? max_cycles_ : kCyclesBetweenChecks,
                             stall_limit_ > 0 ? stall_limit_ : kCyclesBetweenChecks})) {
  if (mechanism_named(options_.mechanism).bound)
    throw Error(ExitCode::Refused, fmt::format("'{}' is a bound on issue slots, not a machine: it has no cycles, only "
                                               "emulation (--emulate)",
                                               options_.mechanism));
  if (what_.cooperative && grid_blocks_ > uint64_t{resident_} * cores_needed_)
    throw Error(ExitCode::BadLaunch,
                fmt::format("a cooperative launch of {} blocks of {} does not fit: {} cores hold {} blocks each",
                            grid_blocks_, readable_name(what_.kernel.name), config.integer("cores"), resident_));
  for (const std::shared_ptr<Observer>& observer : options_.observers)
    if (const uint64_t every = observer->sample_every(); every > 0) series_.push_back({observer.get(), begin_ + every});
  progress_at_ = start_;
  if (parameters_.instruction.bytes > 0) bring_code();
  stats_.kernel = what_.kernel.name;
  stats_.grid = what_.info.grid;
  stats_.block = what_.info.block;
  stats_.interleaved = true;
  TimingStats& timing = stats_.timing.emplace();
  timing.begin = begin_.count();
  timing.sub_cores = parameters_.sub_cores;
  timing.blocks_per_core = resident_;
  timing.core_mhz = static_cast<unsigned>(config.integer("core_clock"));
  timing.memory_mhz = static_cast<unsigned>(config.integer("memory_clock"));
  timing.channels = static_cast<unsigned>(config.integer("channels"));
  timing.dram_bytes_per_cycle = static_cast<unsigned>(config.integer("dram_bytes_per_cycle"));
}

void CycleLaunch::bring_code() {
  const Address begin = code_begins(what_.info);
  if (config_.text("launch_code") == "l2") system_.hold(begin, table_.code_bytes);
  if (system_.has_code_caches()) system_.hold_code(begin, table_.code_bytes);
}

// ---- cores and blocks

void CycleLaunch::spread(unsigned free_cores) {
  const unsigned cores = free_cores == 0 ? cores_needed_ : std::min(free_cores, cores_needed_);
  const uint64_t share = (grid_blocks_ + cores - 1) / cores;
  places_ = what_.cooperative ? resident_ : static_cast<unsigned>(std::min<uint64_t>(resident_, share));
}

std::span<const std::unique_ptr<CycleLaunch::Site>> CycleLaunch::take_cores(std::span<const unsigned> cores,
                                                                            const ForEach& for_each) {
  std::vector<std::unique_ptr<Site>> taken;
  for (const unsigned core : cores) taken.push_back(site_of(core));
  for_each(cores, [&](size_t i) { make(*taken[i]); });
  free_places_ += places_ * cores.size();
  std::ranges::move(taken, std::back_inserter(sites_));
  return std::span(sites_).last(cores.size());
}

void CycleLaunch::leave_cores(const ForEach& for_each) {
  std::vector<unsigned> cores;
  for (const std::unique_ptr<Site>& site : sites_) cores.push_back(site->number);
  for_each(cores, [&](size_t i) { sites_[i].reset(); });
  sites_.clear();
}

std::unique_ptr<CycleLaunch::Site> CycleLaunch::site_of(unsigned core) const {
  auto site = std::make_unique<Site>();
  site->number = core;
  site->observers = options_.observers;
  if (side_by_side_)
    for (std::shared_ptr<Observer>& observer : site->observers)
      if (observer->hears_of_cores()) observer = observer->for_core();
  for (unsigned id = places_; id-- > 0;) site->free.push_back(static_cast<BlockId>(id));
  return site;
}

void CycleLaunch::make(Site& site) {
  site.launch = this;
  LaunchInfo own = what_.info;
  own.core = site.number;
  EngineOptions options = options_.engine();
  options.observers = site.observers;
  site.engine = std::make_unique<WarpEngine>(what_.kernel, own, memory_, what_.constants, config_, options, places_);
  what_.prepare(site.engine->context());
  if (side_by_side_) separate(site);
  std::vector<std::unique_ptr<Scheduler>> schedulers;
  for (unsigned s = 0; s < parameters_.sub_cores; ++s)
    schedulers.push_back(make_scheduler(scheduler_named(options_.schedule), site.engine->host(), config_));
  site.core = std::make_unique<Core>(site.number, parameters_, table_, *site.engine, std::move(schedulers), system_,
                                     clocks_.core, begin_);
}

// Nothing that happens in a cycle of one core may concern another in the same cycle, but by global memory. A block that
// is started behind its core asks for code, which a neighbour that sits together with it could be the first to miss,
// and takes room that its neighbours at a port may count on.
bool CycleLaunch::may_go_side_by_side() const {
  if (!options_.ahead || cores_needed_ <= 1 || options_.checker || options_.instruments.follow_values()) return false;
  if (!system_.takes_time() || !can_keep_order(what_.kernel)) return false;
  if (asks_for_code() && system_.at_port() > 1) return false;
  if (asks_for_code() && number(config_, "block_clock") == 0 && system_.together() > 1) return false;
  return std::ranges::all_of(options_.observers,
                             [](const auto& each) { return !each->hears_of_cores() || each->for_core() != nullptr; });
}

// What it shares with others is put in order behind its cycle.
void CycleLaunch::separate(Site& site) const {
  Context& context = site.engine->context();
  keep_order(context, read_only_);
  if (context.stray_load) context.stray_load = [&site](const std::string& what) { site.strays.push_back(what); };
}

void CycleLaunch::fill(CoreCycle cycle) {
  for (bool more = true; more;) {
    more = false;
    for (const std::unique_ptr<Site>& site : sites_) {
      if (!takes_block(*site) || site->next_start > cycle) continue;
      start_next_block(*site, cycle);
      more = true;
    }
  }
}

void CycleLaunch::start_next_block(Site& site, CoreCycle cycle) {
  const BlockId block = site.free.back();
  site.free.pop_back();
  --free_places_;
  site.core->expect_block(cycle);
  site.coming.push({cycle + block_latency_, block, next_block_++});
  start_those_that_came(site, cycle);
  site.next_start = cycle + block_interval_;
}

void CycleLaunch::start_those_that_came(Site& site, CoreCycle cycle) {
  for (; !site.coming.empty() && site.coming.front().cycle <= cycle; site.coming.pop())
    site.core->start_block(site.coming.front().block, site.coming.front().order, cycle);
}

CycleLaunch::Site& CycleLaunch::start_next(CoreCycle cycle) {
  const auto turn = [&] { next_site_ = next_site_ + 1 == sites_.size() ? 0 : next_site_ + 1; };
  while (sites_[next_site_]->free.empty()) turn();
  Site& site = *sites_[next_site_];
  start_next_block(site, cycle);
  turn();
  return site;
}

void CycleLaunch::tick(Site& site, CoreCycle cycle) {
  Core& core = *site.core;
  core.tick(cycle);
  if (!site.coming.empty()) start_those_that_came(site, cycle);
}

void CycleLaunch::note_ended(Site& site, CoreCycle cycle) {
  if (!site.launch->block_clock_) return;
  for (const BlockId block : site.core->left()) site.ended.emplace_back(cycle, block);
  site.core->forget_left();
}

void CycleLaunch::settle(Site& site, CoreCycle cycle) {
  Core& core = *site.core;
  if (!site.strays.empty()) [[unlikely]] {
    for (const std::string& what : site.strays) options_.stray_load(what);
    site.strays.clear();
  }
  if (!core.left().empty()) {
    for (const BlockId block : core.left()) end(site, block);
    core.forget_left();
  }
  while (!block_clock_ && takes_block(site) && site.next_start <= cycle) start_next_block(site, cycle);
  if (core.stuck())
    report(fmt::format("deadlock in kernel {} under '{}': no thread can go on", readable_name(what_.kernel.name),
                       options_.mechanism),
           cycle);
}

CoreCycle CycleLaunch::first_ended() const {
  CoreCycle first = kNever;
  for (const std::unique_ptr<Site>& site : sites_)
    if (!site->ended.empty()) first = std::min(first, site->ended.front().first);
  return first;
}

void CycleLaunch::take_ended(CoreCycle before, std::vector<Ended>& ended) {
  for (const std::unique_ptr<Site>& site : sites_) {
    size_t count = 0;
    for (; count < site->ended.size() && site->ended[count].first < before; ++count)
      ended.push_back({site->ended[count].first, site.get(), site->ended[count].second});
    site->ended.erase(site->ended.begin(), site->ended.begin() + static_cast<std::ptrdiff_t>(count));
  }
  std::ranges::stable_sort(ended, {}, &Ended::cycle);
}

void CycleLaunch::end(Site& site, BlockId block) {
  if (end_clock_)
    ended_.push({&site, block});
  else
    free_place(site, block);
}

bool CycleLaunch::look_far() {
  has_code_ = has_code_ || !asks_for_code() ||
              std::ranges::all_of(sites_, [](const auto& site) { return site->core->has_first_code(); });
  looks_far_ = block_clock_ && (next_block_ == grid_blocks_ || (block_latency_ > 0 && has_code_));
  return looks_far_;
}

void CycleLaunch::put_away() {
  const auto [site, block] = ended_.front();
  ended_.pop();
  free_place(*site, block);
}

void CycleLaunch::free_place(Site& site, BlockId block) {
  site.free.push_back(block);
  ++free_places_;
  ++ended_blocks_;
}

bool CycleLaunch::idle() const {
  return std::all_of(sites_.begin(), sites_.end(), [](const auto& site) { return site->core->idle(); });
}

}  // namespace heddle
