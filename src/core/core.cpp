#include "core/core.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

constexpr Address kCodePhysical = Address{1} << 43;  // code lies above all data

}  // namespace

Core::Core(unsigned index, const CoreParameters& parameters, const RegisterUses* uses, WarpEngine& engine,
           std::unique_ptr<Scheduler> scheduler, MemorySystem& memory, const Clock<CoreCycle>& clock, CoreCycle start)
    : parameters_(parameters),
      engine_(engine),
      scheduler_(std::move(scheduler)),
      outlet_(memory, clock, index),
      traits_(engine.traits()),
      many_ask_(traits_.splits || traits_.issue_width > 1),
      follows_returns_(traits_.hears_returns || engine.host().watch.wants(Observer::kMemory)),
      watch_(CoreWatch::wanted(engine.host()) ? std::make_unique<CoreWatch>(engine.host()) : nullptr),
      lsu_(parameters, index, outlet_, flights_, follows_returns_ ? &returns_ : nullptr, watch_.get(), stats_),
      instructions_(Origin::Instruction, "icache", parameters.instruction, parameters, outlet_, stats_.instruction),
      port_free_(start),
      accounted_(start),
      next_(kNever) {
  if (parameters.register_scoreboard) scoreboard_ = std::make_unique<Scoreboard>(*uses, traits_.splits);
  if (scoreboard_ && traits_.splits) {
    engine.host().waits = [this](Pc pc, const Group& group) { return scoreboard_->wait_of(pc, group, flights_); };
    engine.host().able = [this](Pc pc, const Group& group) { return scoreboard_->able(pc, group); };
  }
  for (const Instruction& instruction : engine.context().kernel.code) unit_of_.push_back(unit_of(instruction));
  engine.on_block_done([this](BlockId block) {
    std::erase(running_, block);
    left_.push_back(block);
  });
}

void Core::start_block(BlockId block, uint64_t order, CoreCycle now) {
  account(now);  // the core may have been empty
  engine_.host().now = now;
  engine_.start_block(block, order);
  running_.push_back(block);
  if (watch_) watch_->block_started(now);
  wake_issue(now + 1);
}

void Core::reply(uint32_t tag, CoreCycle now) {
  flights_.advance(now);
  if (origin_of(tag) == Origin::Instruction) {
    instructions_.fill(index_of(tag), [](FirstLevel::Target, Address) {});
    std::erase_if(fetching_, [&](const auto& waiting) { return instructions_.holds(code_address(waiting.second)); });
    if (watch_) watch_->fetched(now);
    return wake_issue(now);
  }
  next_ = std::min({next_, lsu_.reply(tag, now), returns_.next()});
  if (flights_.waiting_for_memory() > 0) return;
  account(now);  // the next cycles are of another class
  set_idle(idle_ == IdleClass::Stall);
}

void Core::tick(CoreCycle now) {
  account(now);
  engine_.host().now = now;
  engine_.context().clock = now.count();
  flights_.advance(now);
  if (follows_returns_) hear_returns(now);
  bool changed = flights_.complete_due(now, [&](FlightId id, const Flight& flight) { complete(id, flight); });
  changed = lsu_.tick(now) || changed;
  if (changed || now >= issue_due_)
    issue(now);
  else
    set_idle(idle_ == IdleClass::Stall);
  plan(now);
}

void Core::settle(CoreCycle now) {
  account(now);
  lsu_.account(now);
}

void Core::finish(CoreCycle now) {
  settle(now);
  if (watch_) watch_->end_wait(kNoWarp, kNoPc);
}

void Core::tell_idle(CoreCycle upto) const { watch_->passed(accounted_, upto, idle_, port_free_, !running_.empty()); }

void Core::complete(FlightId id, const Flight& flight) {
  if (watch_) watch_->completed(id, flight, engine_.host().now);
  if (!advances_at_issue(flight.pc)) return engine_.complete(flight.warp);
  wake(id);
  scoreboard_->release(id);
}

// Lanes whose data is there may go on, and the mechanism hears of it, unless all of their warp has left meanwhile.
void Core::hear_returns(CoreCycle now) {
  returns_.take_due(now, [&](FlightId id, LaneMask lanes, bool hit) {
    const Load& load = loads_[id];
    if (traits_.hears_returns && scoreboard_) {
      wake(id);
      scoreboard_->release(id, load.group.group().part(lanes));
    }
    const Host& host = engine_.host();
    if (load.pc == kNoPc || !host.is_open(load.parent, load.age)) return;
    if (host.watch.wants(Observer::kMemory))
      host.watch.tell<&Observer::returned>(Observer::kMemory, LanesReturned{load.parent, load.pc, lanes});
    if (!traits_.hears_returns) return;
    if (watch_) watch_->lanes_returned(load.pc, load.parent, now);
    engine_.mechanism().returned(load.parent, lanes, hit);
    wake_issue(now);
  });
}

// With a register scoreboard a plain instruction lets its warp go on at once.
bool Core::advances_at_issue(Pc pc) const {
  return scoreboard_ && engine_.context().kernel.code[pc].flow == Flow::Plain;
}

void Core::issue(CoreCycle now) {
  try_again_ = kNever;
  if (now < port_free_) return set_idle(false);
  if (!issuing_) {
    WarpId chosen = choose(now);
    if (chosen == kNoWarp && traits_.hears_stalls) {
      tell_stalls(now);
      if (engine_.mechanism().starved()) chosen = choose(now);
    }
    if (chosen == kNoWarp) return;
    begin(chosen);
    scheduler_->issued(chosen);
  } else if (passes_memory_stage(groups_pc_) && !pipeline_takes(now)) {
    note_full_stage();
    return set_idle(true);
  } else if (traits_.issue_width > 1) {
    candidates_ = engine_.host().ready();
  }
  issue_group(now, false);
  if (traits_.issue_width > 1 && !issuing_) issue_companions(now);
  if (traits_.hears_stalls) tell_stalls(now);  // behind the issue: it may change who is ready
  set_idle(false);
}

// Who goes with the warp that was just issued, on the lanes it leaves free: of those that were not found to be kept
// back when it was chosen.
void Core::issue_companions(CoreCycle now) {
  const WarpId first = warp_;
  const Unit unit = unit_of_[groups_pc_];
  candidates_.intersect(engine_.host().ready());
  candidates_.erase(first);
  for (const auto& waiting : fetching_) candidates_.erase(waiting.first);
  memory_full_ = false;
  for (unsigned place = 1; place < traits_.issue_width && !candidates_.empty();) {
    if (parameters_.shared_pipeline && !pipeline_takes(now)) return;
    const WarpId id = engine_.mechanism().companion(first, candidates_);
    if (id == kNoWarp) return;
    candidates_.erase(id);
    const bool may = may_issue(id, now, &unit);
    if (memory_full_) leave_out_memory(candidates_);
    if (!may) continue;
    begin(id);
    issue_group(now, true);
    ++place;
  }
}

// Warps that could go but for a load that has missed: the mechanism hears of each once per instruction.
void Core::tell_stalls(CoreCycle now) {
  for (const WarpId id : stalled_warps_) {
    const Warp& warp = engine_.host().warp(id);
    if (warp.state != WarpState::Ready) continue;
    if (told_.size() <= id) told_.resize(id + 1U);
    const std::pair<uint64_t, Pc> what{warp.serial + 1, warp.pc};
    if (std::exchange(told_[id], what) == what) continue;
    if (engine_.host().watch.wants(Observer::kMemory))
      engine_.host().watch.tell<&Observer::stalled>(Observer::kMemory, Stalled{id, warp.pc});
    engine_.mechanism().stalled(id);
    try_again_ = std::min(try_again_, now + 1);
  }
  stalled_warps_.clear();
}

// What cycles without an issue are, from now on.
void Core::set_idle(bool stalled) {
  if (stalled)
    idle_ = IdleClass::Stall;
  else
    idle_ = flights_.waiting_for_memory() > 0 || !fetching_.empty() ? IdleClass::Memory : IdleClass::Nothing;
}

WarpId Core::choose(CoreCycle now) {
  if (parameters_.shared_pipeline && !engine_.host().ready().empty() && !pipeline_takes(now)) {
    note_full_stage();
    set_idle(true);
    return kNoWarp;
  }
  const WarpSet* left = &engine_.host().ready();  // copied once somebody must be left out
  const auto leave_out = [&](WarpId id) {
    if (left != &candidates_) candidates_ = *left;
    left = &candidates_;
    candidates_.erase(id);
  };
  wished_.clear();
  for (const auto& waiting : fetching_) leave_out(waiting.first);
  stalled_ = memory_full_ = false;
  while (!left->empty()) {
    const WarpId id = first_choice(*left);
    if (may_issue(id, now)) {
      if (traits_.issue_width > 1 && left != &candidates_) candidates_ = *left;
      return id;
    }
    wished_.erase(id);
    if (left->contains(id)) leave_out(id);  // else it was put to sleep
    if (many_ask_ && memory_full_) {
      if (left != &candidates_) candidates_ = *left;
      left = &candidates_;
      leave_out_memory(candidates_);
      wished_.intersect(candidates_);
    }
  }
  set_idle(stalled_);
  return kNoWarp;
}

WarpId Core::first_choice(const WarpSet& left) {
  if (!traits_.wishes) return scheduler_->choose(left);
  if (const WarpId wished = engine_.host().wished; left.contains(wished)) return wished;
  if (wished_.empty()) {
    wished_ = left;
    engine_.host().keep_first_wishes(wished_);
  }
  return scheduler_->choose(wished_);
}

// `shared`: the unit of a warp it would go with, on other lanes.
bool Core::may_issue(WarpId id, CoreCycle now, const Unit* shared) {
  const Warp& warp = engine_.host().warp(id);
  if (warp.not_before > now) {
    try_again_ = std::min(try_again_, warp.not_before);
    return false;
  }
  if (scoreboard_ && !registers_free(id)) {
    wait_for_registers(id);
    return false;
  }
  const Unit unit = unit_of_[warp.pc];
  if (const CoreCycle free = unit_free_[static_cast<size_t>(unit)]; free > now && !(shared && unit == *shared)) {
    try_again_ = std::min(try_again_, free);
    if (watch_ && !stalled_) watch_->stalls(IdleCause::Unit, watch_->taker_of(unit));
    stalled_ = true;
    return false;
  }
  if (!parameters_.shared_pipeline && passes_memory_stage(warp.pc) && !pipeline_takes(now)) {
    if (!stalled_) note_full_stage();
    stalled_ = memory_full_ = true;
    return false;
  }
  return parameters_.instruction.bytes == 0 || fetched(id, now);
}

bool Core::registers_free(WarpId id) {
  const Warp& warp = engine_.host().warp(id);
  if (warp.groups == 1) return scoreboard_->free(warp.pc, warp.group);
  const std::span<const Group> groups = engine_.groups_of(id);
  return std::all_of(groups.begin(), groups.end(), [&](const Group& g) { return scoreboard_->free(warp.pc, g); });
}

// What fails for one of them fails for all.
void Core::leave_out_memory(WarpSet& left) {
  left.for_each([&](WarpId id) {
    if (!passes_memory_stage(engine_.host().warp(id).pc)) return;
    left.erase(id);
    if (traits_.hears_stalls && scoreboard_ && !registers_free(id)) wait_for_registers(id);
  });
  memory_full_ = false;
}

// Whoever is to be told of stalls is tried again until it is known that what it waits for has missed.
void Core::wait_for_registers(WarpId id) {
  if (traits_.hears_stalls) {
    const Warp& warp = engine_.host().warp(id);
    if (scoreboard_->wait_of(warp.pc, warp.group, flights_) != Wait::Memory) return;
    stalled_warps_.push_back(id);
  }
  if (many_ask_) sleep(id);
}

// Of many that ask most wait: they are not asked again before a register of their row comes back.
void Core::sleep(WarpId id) {
  const Warp& warp = engine_.host().warp(id);
  if (warp.groups > 1 || warp.group.kind != Group::Kind::Rows) return;
  if (asleep_.size() <= warp.group.row) asleep_.resize(warp.group.row + 1U);
  asleep_[warp.group.row].push_back(id);
  engine_.host().put_to_sleep(id);
}

void Core::wake(FlightId flight) {
  if (asleep_.empty()) return;
  for (const uint16_t row : scoreboard_->rows_of(flight)) {
    if (row >= asleep_.size()) continue;
    for (const WarpId id : asleep_[row]) engine_.host().wake(id);
    asleep_[row].clear();
  }
}

// Is there a place on the way to the memory stage?
bool Core::pipeline_takes(CoreCycle now) {
  if (!lsu_.full(now)) return true;
  try_again_ = std::min(try_again_, lsu_.next_place());
  return false;
}

Address Core::code_address(Pc pc) const {
  const Address code = engine_.context().launch.code;
  const Address at = kCodePhysical + code + Address{pc} * parameters_.instruction_bytes;
  return at - at % parameters_.instruction.line;
}

// Everything else is ready: is the instruction in the cache? A miss fetches it, once.
bool Core::fetched(WarpId id, CoreCycle now) {
  const Pc pc = engine_.host().warp(id).pc;
  switch (instructions_.read(code_address(pc), id, now).kind) {
    case FirstLevel::Answer::Kind::Hit: return true;
    case FirstLevel::Answer::Kind::Waits: fetching_.emplace_back(id, pc); return false;
    case FirstLevel::Answer::Kind::Sent:
    case FirstLevel::Answer::Kind::Blocked: break;
  }
  try_again_ = std::min(try_again_, now + 1);
  return false;
}

void Core::begin(WarpId id) {
  take_groups(id);
  group_ = 0;
  groups_pc_ = engine_.host().warp(id).pc;
  issuing_ = true;
  warp_ = id;
  flight_ = flights_.start(id, groups_pc_, static_cast<unsigned>(groups_.size()));
  if (follows_returns_) note_load(id);
  engine_.begin(id);
}

// Others may be asked for their groups before the last of these is out.
void Core::take_groups(WarpId id) {
  if (const Warp& warp = engine_.host().warp(id); warp.groups == 1) {
    only_ = warp.group;
    groups_ = {&only_, 1};
    return;
  }
  const std::span<const Group> groups = engine_.groups_of(id);
  several_.assign(groups.begin(), groups.end());
  groups_ = several_;
}

void Core::note_load(WarpId id) {
  const Warp& warp = engine_.host().warp(id);
  if (loads_.size() <= flight_) loads_.resize(flight_ + 1, {KeptGroup(Group{}), {}, 0, 0});
  loads_[flight_] = {KeptGroup(groups_[0]), warp.parent, warp.age, groups_.size() == 1 ? warp.pc : kNoPc};
}

void Core::issue_group(CoreCycle now, bool beside) {
  const Group& group = groups_[group_];
  const Instruction& instruction = engine_.context().kernel.code[groups_pc_];
  const Unit unit = unit_of_[groups_pc_];
  if (watch_) watch_->issued(warp_, groups_pc_, flight_, unit, group_ == 0);
  const bool executed = engine_.issue(warp_, groups_pc_, group, beside);
  count_cycle(group.count, beside);
  port_free_ = accounted_ = now + parameters_.interval;
  if (group_ + 1 < groups_.size()) port_free_ = std::max(port_free_, now + parameters_.form_cycles);
  unit_free_[static_cast<size_t>(unit)] = now + parameters_.unit(unit).interval;
  if (executed && scoreboard_) scoreboard_->take(flight_, groups_pc_, group);
  if (unit == Unit::Memory)
    lsu_.access(flight_, instruction, engine_.context().access, group.lanes(), now);
  else if (parameters_.shared_pipeline)
    lsu_.pass(flight_, parameters_.unit(unit), now);
  else
    flights_.done(flight_, now + parameters_.unit(unit).latency);
  if (++group_ < groups_.size()) return;
  issuing_ = false;
  if (advances_at_issue(groups_pc_)) engine_.complete(warp_);
}

// A cycle counts once, with all threads that go in it.
void Core::count_cycle(unsigned threads, bool beside) {
  if (beside) stats_.issue_cycles[cycle_threads_] -= parameters_.interval;
  cycle_threads_ = beside ? cycle_threads_ + threads : threads;
  require(cycle_threads_ <= kRow, "warps that go together share lanes");
  stats_.issue_cycles[cycle_threads_] += parameters_.interval;
}

// When there is something to do again.
void Core::plan(CoreCycle now) {
  issue_due_ = kNever;
  if (issuing_ || !engine_.host().ready().empty()) issue_due_ = now < port_free_ ? port_free_ : try_again_;
  next_ = std::min({flights_.next(now + 1), lsu_.next(now), issue_due_, returns_.next()});
}

void Core::explain(std::string& text) const {
  engine_.list_warps(text);
  for (BlockId block : running_) engine_.explain(block, text);
  lsu_.explain(text);
  if (flights_.under_way() > 0)
    text += fmt::format("  {} instructions under way, {} of them wait for memory\n", flights_.under_way(),
                        flights_.waiting_for_memory());
}

}  // namespace heddle
