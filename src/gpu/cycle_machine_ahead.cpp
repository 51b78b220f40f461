// The machine while its cores are ahead of each other and of the memory system.
#include <algorithm>
#include <utility>

#include "gpu/cycle_machine.h"

namespace heddle {
namespace {

constexpr unsigned kLongWay = 16;     // cycles of a core
constexpr unsigned kMostAhead = 512;  // the same

}  // namespace

// One launch in flight: of several who is ahead could end behind one that has ended. It pays on one thread too, where
// the way there and back is long: a core has many cycles at a time and stays in the host's cache for them.
bool CycleMachine::may_go_ahead() const {
  if (flights_.size() != 1 || !flights_.front()->side_by_side() || !options_.skip) return false;
  if (options_.threads > 1) return true;
  return system_->shortest_way() >= clocks_.core.time(CoreCycle(kLongWay)) && system_->has_wide_ports();
}

bool CycleMachine::has_long_way() const { return system_->has_long_network(clocks_.core.time(CoreCycle(kLongWay))); }

void CycleMachine::find_mode() {
  const bool before = std::exchange(goes_ahead_, may_go_ahead());
  if (goes_ahead_ == before) return;
  system_->run_ahead(goes_ahead_, now_);
  if (!goes_ahead_) return ahead_->end();
  if (!ahead_) ahead_.emplace(options_.threads, sites_, *system_, clocks_);
  if (started_ == 0) return;
  ahead_->begin(now_);  // who waited for others to end
  blocks_settled_ = clocks_.core.after(now_);
  for (unsigned core = 0; core < sites_.size(); ++core)
    if (sites_[core]) ahead_->wake(core, clocks_.core.after(now_));
}

Tick CycleMachine::next_ahead() const {
  const Tick memory = std::max(system_->next_ahead(), ahead_->done());
  const CoreCycle ended =
      ahead_->some_ended() ? flights_.front()->first_ended() : CoreCycle(kNever);  // of who is ahead
  return std::min({ahead_->next(), memory, time_of(std::min(ended, next_block()))});
}

void CycleMachine::step_ahead(Tick time) {
  if (ending_ && !flights_.front()->sampled() && flights_.front()->idle() && system_->next_ahead() < bound_of_memory())
    return system_->drain(bound_of_memory());
  require(time != kNever, "all parts sleep, and the launch has not ended");
  if (flights_.front()->sampled()) flights_.front()->take_samples(clocks_.core.at_or_after(time));
  now_ = time;
  commit(ahead_->logs(), clocks_.core.at_or_after(now_));               // until then nobody does anything
  if (options_.stop && options_.stop->load(std::memory_order_relaxed))  // to the next check it may be seconds
    throw Error(ExitCode::Interrupted, "interrupted");
  const bool beside = may_lag();
  if (!beside && (!system_->follows(now_) || (system_->rests() && !knows_enough(now_))))
    ahead_->follow(now_, bound_of_memory());
  known_.clear();
  system_->take_known(system_->known(), known_);
  ahead_->put(known_);
  ahead_->run(now_, how_far_known(), how_far(), beside);
  settle_ahead();
}

// What comes before this cycle of cores, of all: also what was sent behind the last edge of the network.
void CycleMachine::catch_up(CoreCycle cycle) {
  const Tick before = clocks_.core.time(cycle);
  commit(ahead_->logs(), cycle);
  ahead_->follow(before, bound_of_memory());
  known_.clear();
  system_->take_known(before, known_);
  ahead_->put(known_);
  ahead_->reply(cycle);
}

// The memory system is not ahead of the cycle before a sample, nor of the next check.
Tick CycleMachine::bound_of_memory() const {
  const CoreCycle sample = flights_.front()->next_sample();
  return std::min(next_check_, sample == kNever ? Tick(kNever) : clocks_.core.time(sample - 1) + 1);
}

// May the memory system be behind the cores, and catch up beside them? Then they know what reaches them for half of the
// way there and back, and it has as long for the other half. Where that is short, rounds of twice the length are worth
// more.
bool CycleMachine::lags() const { return options_.threads > 1 && has_long_way(); }

bool CycleMachine::goes_on_lagging() const { return lags() && !ending_ && !flights_.front()->sampled(); }

bool CycleMachine::may_lag() {
  return goes_on_lagging() && system_->known() >= now_ + half_way() && ahead_->certain(now_);
}

uint64_t CycleMachine::half_way() const { return system_->shortest_way().count() / 2; }

// Who waits for room needs the network of requests, cycle by cycle; nobody needs the rest so often.
bool CycleMachine::knows_enough(Tick now) const {
  return !ending_ && !flights_.front()->sampled() && system_->known() >= now + half_way();
}

// The time up to which it is known what reaches the cores.
Tick CycleMachine::how_far_known() const {
  Tick far = system_->known();
  if (lags()) far = std::min(far, now_ + half_way());
  return std::max(far, now_ + 1);
}

// And what concerns all of them.
Tick CycleMachine::how_far() {
  CycleLaunch& launch = *flights_.front();
  const Tick next = now_ + 1;
  const Tick block = time_of(launch.look_far() ? launch.heard_of(now()) : next_block());
  if (ending_ || block <= now_) return next;
  // Where some wait, others do not gain by going far.
  const Tick ahead = ahead_->some_wait() ? how_far_known() : time_of(now() + kMostAhead);
  return std::max(next, std::min({ahead, next_check_, block, time_of(launch.next_sample())}));
}

// When all is done: who goes farther has nothing to do there. What was written is at its place by then.
Tick CycleMachine::last_event() const { return std::max({last_block_, ahead_->last(), system_->worked()}); }

// But for what was written: no launch is to hear of anything, nobody waits for room.
bool CycleMachine::nothing_to_settle() {
  return goes_on_lagging() && !ahead_->needs_room() && ahead_->concerned().empty() && !ahead_->some_ended() &&
         time_of(next_block()) >= ahead_->done();
}

// What all of them have done, in order. Who had to wait for its launch goes on where the others have been.
void CycleMachine::settle_ahead() {
  if (nothing_to_settle()) {
    const CoreCycle before = clocks_.core.at_or_after(ahead_->done());
    now_ = ahead_->done() - 1;
    if (pace_.used()) blocks_settled_ = before;
    const bool writes = ahead_->writes();
    return ahead_->hand_over(ahead_->done(), bound_of_memory(),
                             writes ? [&] { commit(ahead_->logs(), before); } : std::function<void()>());
  }
  do settle_cores();
  while (may_resume() && ahead_->resume());
  const Tick done = ahead_->done();
  if (pace_.used()) settle_blocks(clocks_.core.at_or_after(done));
  const bool room = !ahead_->needs_room();
  if (room && goes_on_lagging()) return ahead_->hand_over(done, bound_of_memory());
  if (room || !knows_enough(done) || !system_->follow_requests(done, bound_of_memory()))
    ahead_->follow(done, bound_of_memory());
  for (const uint16_t core : system_->freed())
    if (sites_[core] && sites_[core]->core->wants_room()) ahead_->wake(core, clocks_.core.after(now_));
}

// Up to where all are, and those that have stopped there.
void CycleMachine::settle_cores() {
  const CycleLaunch& launch = *flights_.front();
  const Tick done = ahead_->done();
  now_ = done - 1;
  const CoreCycle cycle = clocks_.core.at_or_after(now_);
  const std::span<const unsigned> concerned = ahead_->concerned();
  commit_ahead(concerned, clocks_.core.at_or_after(done));
  // Blocks that are started ask for room in the network.
  if (launch.asks_for_code() && !launch.looks_far() && (!concerned.empty() || time_of(next_block()) <= now_))
    ahead_->follow(now_, bound_of_memory());
  for (const unsigned core : concerned) {
    Site& site = *sites_[core];
    site.launch->settle(site, cycle);
    ending_ = ending_ || site.launch->blocks_ended();
  }
  ahead_->go_on();
}

bool CycleMachine::may_resume() const { return !ending_ && !pace_.used() && !flights_.front()->asks_for_code(); }

// Cycle by cycle, what happens to blocks behind the cores.
void CycleMachine::settle_blocks(CoreCycle before) {
  CycleLaunch& launch = *flights_.front();
  ended_.clear();
  if (ahead_->some_ended()) launch.take_ended(before, ended_);
  for (auto next = ended_.begin();;) {
    const CoreCycle end = next == ended_.end() ? CoreCycle(kNever) : next->cycle;
    const CoreCycle cycle = std::min(end, std::max(next_block(), blocks_settled_));
    if (cycle >= before) break;
    for (; next != ended_.end() && next->cycle == cycle; ++next) launch.end(*next->site, next->block);
    hand_out(cycle);
    blocks_settled_ = cycle + 1;
    last_block_ = clocks_.core.time(cycle);
  }
  blocks_settled_ = before;
}

// Where a core has thrown, nothing behind it has happened.
void CycleMachine::commit_ahead(std::span<const unsigned> concerned, CoreCycle before) {
  const std::span<GlobalLog* const> logs = ahead_->logs();
  for (const unsigned core : concerned)
    if (ahead_->failed(core)) {
      commit(logs, before - 1);
      const auto before_it =
          std::count_if(sites_.begin(), sites_.begin() + core, [](const Site* each) { return each; });
      commit(logs.first(static_cast<size_t>(before_it) + 1), before);
      ahead_->check(core);
    }
  commit(logs, before);
}

void CycleMachine::commit(std::span<GlobalLog* const> logs, CoreCycle before) {
  if (!ahead_->writes()) return;
  ahead_->committed(commit_(logs, before.count()));
}

}  // namespace heddle
