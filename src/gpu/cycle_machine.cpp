#include "gpu/cycle_machine.h"

#include <algorithm>
#include <climits>
#include <utility>

namespace heddle {
namespace {

// Before `end`, until it has sent something or does not go on by itself; the last cycle.
template <class F>
[[gnu::always_inline]] inline CoreCycle tick_alone(Core& core, CoreCycle end, F&& by_itself) {
  const uint64_t sent = core.sent();
  for (;;) {
    const CoreCycle cycle = core.run(core.next(), end);
    if (core.sent() != sent || core.next() >= end || !by_itself()) return cycle;
  }
}

}  // namespace

CycleMachine::CycleMachine(const Config& config, const GpuOptions& options)
    : config_(config),
      options_(options),
      clocks_(clocks_of(config)),
      sites_(static_cast<size_t>(config.integer("cores"))),
      wheel_(static_cast<unsigned>(sites_.size()), CoreCycle{0}),
      pace_(static_cast<uint64_t>(config.integer("core_clock")), static_cast<uint64_t>(config.integer("block_clock"))),
      end_pace_(static_cast<uint64_t>(config.integer("core_clock")),
                static_cast<uint64_t>(config.integer("block_end_clock"))) {
  make_memory_system();
}

void CycleMachine::make_memory_system() {
  system_ = std::make_unique<MemorySystem>(MemoryParameters::from(config_), clocks_,
                                           static_cast<unsigned>(sites_.size()), options_.skip);
  accounted_ = {};
  ahead_.reset();
  goes_ahead_ = false;
}

void CycleMachine::empty_caches() { make_memory_system(); }

const CycleLaunch* CycleMachine::begin(CycleLaunch::What what, GlobalMemory& memory, CoreCycle not_before) {
  auto launch =
      std::make_unique<CycleLaunch>(std::move(what), memory, config_, *system_, clocks_, std::max(now(), not_before));
  const CycleLaunch* const result = launch.get();
  const auto later = std::find_if(flights_.begin() + static_cast<std::ptrdiff_t>(started_), flights_.end(),
                                  [&](const auto& each) { return each->start() > result->start(); });
  const auto place = flights_.insert(later, std::move(launch));
  if (place == flights_.begin()) result->lead();
  find_mode();
  return result;
}

// ---- cores

// Is the start of a launch the next that happens? Nothing else does where none has started.
bool CycleMachine::starts_next() const {
  if (started_ == flights_.size()) return false;
  return started_ == 0 || clocks_.core.time(flights_[started_]->start()) <= next_time();
}

void CycleMachine::start(CycleLaunch& launch) {
  const CoreCycle cycle = launch.start();
  now_ = clocks_.core.time(cycle);
  wheel_.advance(cycle);
  if (started_++ == 0) {
    next_check_ = kNever;
    pace_.begin(cycle);
    end_pace_.begin(cycle);
  }
  next_check_ = std::min(next_check_, launch.check_limits(now_, &launch == flights_.front().get()));
  launch.spread(static_cast<unsigned>(std::count(sites_.begin(), sites_.end(), nullptr)));
  share_out(cycle);
  if (goes_ahead_) {
    ahead_->begin(now_);
    blocks_settled_ = cycle + 1;
    system_->follow(now_ + 1, bound_of_memory());
  } else {
    send_requests();  // what the blocks on their way have asked for
  }
}

// Cores that nobody has go to the first launch that wants one.
void CycleMachine::share_out(CoreCycle cycle) {
  cores_freed_ = false;
  unsigned core = 0;
  for (size_t i = 0; i < started_; ++i) {
    CycleLaunch& launch = *flights_[i];
    std::vector<unsigned> taken;
    for (const size_t wanted = launch.cores_wanted(); core < sites_.size() && taken.size() < wanted; ++core)
      if (!sites_[core]) taken.push_back(core);
    if (taken.empty()) continue;
    for (const std::unique_ptr<Site>& each : launch.take_cores(taken, for_each(goes_ahead_)))
      sites_[each->number] = each.get();
    if (pace_.used())
      hand_out(cycle);
    else
      launch.fill(cycle);
    for (unsigned each = 0; each < sites_.size(); ++each)
      if (sites_[each] && sites_[each]->launch == &launch) wheel_.wake_by(each, launch.next_of(*sites_[each]));
  }
  want_cores_ = std::any_of(flights_.begin(), flights_.begin() + static_cast<std::ptrdiff_t>(started_),
                            [](const auto& launch) { return launch->cores_wanted() > 0; });
}

// Side by side where cores go ahead of each other: what each needs is memory that the host has to find.
CycleLaunch::ForEach CycleMachine::for_each(bool ahead) {
  return [this, ahead](std::span<const unsigned> cores, const std::function<void(size_t)>& f) {
    if (ahead) return ahead_->for_each(cores, f);
    for (size_t i = 0; i < cores.size(); ++i) f(i);
  };
}

// With a block_clock. While blocks that have ended are left, one is handed out for each that is put away.
void CycleMachine::hand_out(CoreCycle cycle) {
  const unsigned put = put_away(cycle);
  const unsigned most = some_ended() ? put : UINT_MAX;
  for (unsigned given = 0; given < most; ++given) {
    const auto first =
        std::find_if(flights_.begin(), flights_.end(), [](const auto& each) { return each->takes_block(); });
    if (first == flights_.end() || !pace_.take(cycle)) return;
    const Site& site = (*first)->start_next(cycle);
    if (goes_ahead_)
      ahead_->refresh(site.number);
    else
      wheel_.set(site.number, (*first)->next_of(site));
  }
}

unsigned CycleMachine::put_away(CoreCycle cycle) {
  unsigned blocks = 0;
  for (size_t i = 0; i < started_; ++i) {
    CycleLaunch& launch = *flights_[i];
    for (; launch.has_ended() && end_pace_.take(cycle); ++blocks) launch.put_away();
    ending_ = ending_ || launch.blocks_ended();
  }
  return blocks;
}

bool CycleMachine::some_ended() const {
  return std::any_of(flights_.begin(), flights_.begin() + static_cast<std::ptrdiff_t>(started_),
                     [](const auto& launch) { return launch->has_ended(); });
}

// ---- time

// When the next block is handed out, or put away.
CoreCycle CycleMachine::next_block() const {
  if (!pace_.used()) return kNever;
  if (some_ended()) return end_pace_.next();
  for (size_t i = 0; i < started_; ++i)
    if (flights_[i]->takes_block()) return pace_.next();
  return kNever;
}

CoreCycle CycleMachine::cycle_of(Tick time) const {
  return time == kNever ? CoreCycle(kNever) : clocks_.core.at_or_after(time);
}

Tick CycleMachine::time_of(CoreCycle cycle) const { return cycle == kNever ? Tick(kNever) : clocks_.core.time(cycle); }

Tick CycleMachine::next_time() const {
  if (!options_.skip)  // every edge of every clock
    return std::min({clocks_.core.time(clocks_.core.after(now_)), clocks_.network.time(clocks_.network.after(now_)),
                     clocks_.memory.time(clocks_.memory.after(now_))});
  return std::min(time_of(std::min(wheel_.next(), next_block())), system_->next());
}

void CycleMachine::step(Tick time) {
  require(time != kNever, "all parts sleep, and the launch has not ended");
  if (flights_.front()->sampled()) flights_.front()->take_samples(clocks_.core.at_or_after(time));  // it is alone
  now_ = time;
  const CoreCycle cycle = clocks_.core.at_or_after(now_);
  const bool edge = clocks_.core.edge(now_);
  wheel_.advance(cycle);  // also where nobody ticks: what comes far behind the last who did is not beyond the wheel
  system_->before_cores(now_);
  for (const Reply& each : system_->replies()) reply(each, cycle);
  if (edge) tick_cores(cycle);
  if (edge) give_blocks(cycle);
  send_requests();
  if (edge && options_.skip && flights_.size() == 1)
    if (const Site* const only = flights_.front()->only_site(); only && only == sites_[only->number])
      go_straight(only->number);
}

// Behind the cores: blocks to them, and those that are free to who wants one.
inline void CycleMachine::give_blocks(CoreCycle cycle) {
  if (pace_.used()) hand_out(cycle);
  if (want_cores_ && cores_freed_) share_out(cycle);
}

void CycleMachine::reply(const Reply& reply, CoreCycle cycle) {
  Core& core = *sites_[reply.core]->core;
  core.reply(reply.tag, cycle);
  wheel_.wake_by(reply.core, core.next());
}

void CycleMachine::send_requests() {
  system_->after_cores(now_);
  for (uint16_t core : system_->freed())
    if (sites_[core] && sites_[core]->core->wants_room()) wheel_.wake_by(core, clocks_.core.after(now_));
}

void CycleMachine::tick_cores(CoreCycle cycle) {
  if (options_.skip)
    wheel_.take(cycle, [&](unsigned core) { tick_core(core, cycle); });
  else
    for (unsigned core = 0; core < sites_.size(); ++core)
      if (sites_[core]) tick_core(core, cycle);
}

inline void CycleMachine::tick_core(unsigned core, CoreCycle cycle) {
  Site& site = *sites_[core];
  site.launch->tick(site, cycle);
  settle_core(core, cycle);
}

inline void CycleMachine::settle_core(unsigned core, CoreCycle cycle) {
  Site& site = *sites_[core];
  if (!site.core->left().empty() || site.launch->concerned(site, cycle)) {
    site.launch->settle(site, cycle);
    ending_ = ending_ || site.launch->blocks_ended();
  }
  plan(core);
}

// The only core and the memory system, until something else is due or the core is to be heard of.
void CycleMachine::go_straight(unsigned number) {
  const Site& site = *sites_[number];
  Core& core = *site.core;
  const auto by_itself = [&] { return core.goes_on() && site.strays.empty(); };
  if (site.launch->awaits_block(site) || !by_itself()) return;  // it may be woken for room
  const CoreCycle sample = site.launch->next_sample();
  const Tick end = std::min({next_check_, time_of(next_block()), time_of(sample)});
  for (;;) {
    const Tick memory = system_->next(), next = std::min(memory, time_of(core.next()));
    CoreCycle cycle = cycle_of(next);
    if (next >= end || cycle >= sample) break;  // a sample comes before what is between its cycle and the one before
    now_ = next;
    bool ticks = true;
    if (next < memory) {
      cycle = tick_alone(core, cycle_of(std::min(memory, end)), by_itself);
      now_ = clocks_.core.time(cycle);
    } else {
      system_->before_cores(now_);
      for (const Reply& each : system_->replies()) core.reply(each.tag, cycle);
      ticks = core.next() <= cycle && clocks_.core.edge(now_);
      if (ticks) core.tick(cycle);
    }
    if (by_itself()) {  // so that it does not wait for room
      system_->after_cores(now_);
      continue;
    }
    wheel_.set(number, kNever);
    wheel_.advance(cycle);
    if (ticks) {
      settle_core(number, cycle);
      give_blocks(cycle);
    } else {
      wheel_.set(number, site.launch->next_of(site));
    }
    return send_requests();
  }
  wheel_.set(number, kNever);
  wheel_.advance(clocks_.core.at_or_after(now_));
  wheel_.set(number, site.launch->next_of(site));
}

// Behind its cycle: when it is due again, or that its launch needs it no more.
inline void CycleMachine::plan(unsigned core) {
  Site& site = *sites_[core];
  if (want_cores_ && site.launch->may_leave(site)) {
    sites_[core] = nullptr;
    wheel_.set(core, kNever);
    cores_freed_ = true;
    return;
  }
  wheel_.set(core, site.launch->next_of(site));
}

// ---- launches

// Of several the first that has ended, else their number. The last one in flight waits until what it has written is at
// its place, too.
size_t CycleMachine::ended() const {
  for (size_t i = 0; i < started_; ++i) {
    const CycleLaunch& launch = *flights_[i];
    if (launch.blocks_ended() && launch.idle() && (flights_.size() > 1 || system_->quiet())) return i;
  }
  return flights_.size();
}

std::unique_ptr<CycleLaunch> CycleMachine::take(size_t index) {
  std::unique_ptr<CycleLaunch> launch = std::move(flights_[index]);
  flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(index));
  started_ -= index < started_;
  for (unsigned core = 0; core < sites_.size(); ++core)
    if (sites_[core] && sites_[core]->launch == launch.get()) {
      sites_[core] = nullptr;
      wheel_.set(core, kNever);
    }
  cores_freed_ = true;
  if (index == 0 && busy()) flights_.front()->lead();
  ending_ = std::any_of(flights_.begin(), flights_.end(), [](const auto& each) { return each->blocks_ended(); });
  const bool ahead = goes_ahead_;
  find_mode();
  launch->gather(now_, std::exchange(accounted_, system_->stats()));
  launch->leave_cores(for_each(ahead));
  return launch;
}

std::unique_ptr<CycleLaunch> CycleMachine::run() {
  for (;;) {
    if (const size_t found = ending_ ? ended() : flights_.size(); found < flights_.size()) {
      if (goes_ahead_) now_ = last_event();
      std::unique_ptr<CycleLaunch> launch = take(found);
      launch->check();
      if (!busy()) {
        now_ = clocks_.core.time(launch->end());
        system_->check();
      } else if (want_cores_) {
        share_out(now());
      }
      return launch;
    }
    if (starts_next()) {
      start(*flights_[started_]);
      continue;
    }
    const Tick next = goes_ahead_ ? next_ahead() : next_time();
    if (next >= next_check_ && next != kNever)
      check_limits();
    else if (goes_ahead_)
      step_ahead(next);
    else
      step(next);
  }
}

// When all has been done that comes before, and nothing else: so a launch that is given up has done the same whoever
// goes ahead of whom.
void CycleMachine::check_limits() {
  if (goes_ahead_) catch_up(clocks_.core.at_or_after(next_check_));
  const Tick time = std::exchange(next_check_, kNever);
  now_ = time - 1;
  for (size_t i = 0; i < started_; ++i) next_check_ = std::min(next_check_, flights_[i]->check_limits(time, i == 0));
}

std::vector<std::unique_ptr<CycleLaunch>> CycleMachine::give_up() {
  std::vector<std::unique_ptr<CycleLaunch>> launches;
  while (busy()) {
    launches.push_back(take(0));
    now_ = std::max(now_, clocks_.core.time(launches.back()->end()));
  }
  make_memory_system();
  return launches;
}

}  // namespace heddle
