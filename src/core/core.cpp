#include "core/core.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "exec/global_order.h"

namespace heddle {
namespace {

IdleCause cause_of(const Instruction& instruction) {
  if (instruction.flow == Flow::Barrier) return IdleCause::Barrier;
  return touches_memory(instruction.op) ? IdleCause::Memory : IdleCause::Dependency;
}

}  // namespace

Core::Core(unsigned index, const CoreParameters& parameters, const IssueTable& table, WarpEngine& engine,
           std::vector<std::unique_ptr<Scheduler>> schedulers, MemorySystem& memory, const Clock<CoreCycle>& clock,
           CoreCycle start)
    : parts_(index, parameters, table, engine, memory, clock), several_(schedulers.size() > 1) {
  Host& host = engine.host();
  if (several_) host.divide(static_cast<unsigned>(schedulers.size()));
  sub_cores_.reserve(schedulers.size());
  for (unsigned i = 0; i < schedulers.size(); ++i) sub_cores_.emplace_back(parts_, i, std::move(schedulers[i]), start);
  if (Scoreboard* const scoreboard = parts_.scoreboard.get(); scoreboard && parts_.traits.splits) {
    host.waits = [this, scoreboard](Pc pc, const Group& g) { return scoreboard->wait_of(pc, g, parts_.flights); };
    host.able = [scoreboard](Pc pc, const Group& group) { return scoreboard->able(pc, group); };
  }
  if (!parts_.watch && !engine.context().taint && !engine.context().monitor) engine.context().tells = Tells::Parts;
  engine.on_block_done([this](BlockId block) { block_done(block); });
}

// ---- blocks

void Core::expect_block(CoreCycle now) {
  if (parts_.parameters.instruction.bytes == 0 || parts_.parameters.lines_ahead == 0) return;
  const Address first = parts_.code_line(0);
  parts_.instructions.read_ahead(first, now);
  parts_.fetch_ahead(0, now);
}

void Core::start_block(BlockId block, uint64_t order, CoreCycle now) {
  account(now);  // the core may have been empty
  parts_.engine.host().now = now;
  parts_.engine.start_block(block, order);
  if (parts_.parameters.warp_interval > 0 || parts_.parameters.parameter_latency > 0) line_up(block, now);
  parts_.running.push_back(block);
  tell_wake({IdleCause::NoWarp, kNoPc, kNoWarp, now});
  wake_all(now + 1);
}

// Warps of a new block start one after another, behind those of the block before, and not without parameters.
void Core::line_up(BlockId block, CoreCycle now) {
  Host& host = parts_.engine.host();
  next_warp_ = std::max(next_warp_, now + 1);
  const bool has_parameters = host.kernel().parameter_bytes > 0;
  if (parameters_at_ == kNever) parameters_at_ = now + 1 + (has_parameters ? parts_.parameters.parameter_latency : 0);
  host.warps_in(block).for_each([&](WarpId id) {
    host.warp(id).not_before = std::max(next_warp_, parameters_at_);
    next_warp_ += parts_.parameters.warp_interval;
  });
}

void Core::block_done(BlockId block) {
  if (parts_.running.size() == 1) account(parts_.engine.host().now);  // from now on it is empty
  std::erase(parts_.running, block);
  if (!parts_.drain.used() || !parts_.drain.keeps(block, parts_.engine.host().now)) left_.push_back(block);
}

// ---- what comes

void Core::reply(uint32_t tag, CoreCycle now) {
  parts_.outlet.answered();
  parts_.flights.advance(now);
  if (origin_of(tag) == Origin::Instruction) {
    parts_.instructions.fill(index_of(tag), [](FirstLevel::Target, Address) {});
    if (!parts_.has_all_code) parts_.look_for_all_code();
    for (SubCore& sub_core : sub_cores_) sub_core.fetched(now);
    next_ = std::min(next_, now);
    return;
  }
  next_ = std::min({next_, parts_.lsu.reply(tag, now), parts_.returns.next()});
  for (SubCore& sub_core : sub_cores_) sub_core.reconsider(now);
}

// Lines that wait, those of the memory stage and what these push out, and code. Each line of a cycle may push a dirty
// one out, and the line behind is asked for, too (LoadStoreUnit::look_ahead). Any number of warps may ask for code, but
// for no line of it twice.
size_t Core::most_requests() const { return parts_.outlet.waiting() + most_of_lines() + 1 + most_of_code(); }

size_t Core::most_of_lines() const {
  const CoreParameters& p = parts_.parameters;
  return size_t{2} * std::max({p.l1_read_ports, p.l1_write_ports, p.constant_ports}) + (p.store_lines > 0 ? 1 : 0);
}

size_t Core::most_of_code() const {
  const CoreParameters& p = parts_.parameters;
  const bool lacks_code = p.instruction.bytes > 0 && !parts_.has_all_code && !parts_.outlet.sends_code_apart();
  return lacks_code ? parts_.table.code_bytes / p.instruction.line + 2 : 0;
}

// The stage serves lines every l1_cycle. A line that is still to come may push a dirty one out, if it did not do so
// when it was asked for.
Core::Sending Core::most_sent() const {
  const CoreParameters& p = parts_.parameters;
  const size_t coming = p.l1.on_fill ? parts_.outlet.unanswered() : 0;
  return {most_requests() + coming, (kSpan * most_of_lines() + p.l1_cycle - 1) / p.l1_cycle + kSpan * most_of_code()};
}

bool Core::looks_at(CoreCycle since, CoreCycle now) const {
  if (parts_.follows_returns) return true;
  const GlobalLog& log = *parts_.engine.context().log;
  return parts_.flights.any_due(now, [&](const Flight& each) { return each.issued >= since && log.orders(each.pc); });
}

bool Core::looks_at_once() const {
  const CoreParameters& p = parts_.parameters;
  return p.reply_slots || p.unit(Unit::Memory).latency <= p.memory_stage;
}

void Core::tick(CoreCycle now) {
  if (parts_.watch) account(now);  // what is waited for is known before anything changes
  parts_.engine.host().now = now;
  parts_.engine.context().clock = now.count();
  parts_.flights.advance(now);
  if (parts_.follows_returns) hear_returns(now);
  bool changed = parts_.flights.complete_due(now, [&](FlightId id, const Flight& flight) { complete(id, flight); });
  const bool moved = parts_.lsu.tick(now);
  if (several_) {
    if (moved) wake_for_stage(now);
    changed = false;  // who may go has been woken
  } else {
    changed = changed || moved;
  }
  issue(now, changed);
  if (parts_.drain.used()) parts_.drain.take_due(now, [&](BlockId block) { left_.push_back(block); });
  plan(now);
}

inline void Core::complete(FlightId id, const Flight& flight) {
  if (parts_.drain.used()) parts_.drain.completed(id, parts_.engine.host().now);
  if (parts_.watch) tell_completed(id, flight);
  const IssueCost& cost = parts_.table.costs[flight.pc];
  if (!cost.goes_on) {
    if (several_) wake_all(parts_.engine.host().now);
    return cost.flow == Flow::Plain ? parts_.engine.complete_plain(flight.warp) : parts_.engine.complete(flight.warp);
  }
  if (several_) wake_readers(id);
  parts_.sleepers.wake(parts_.engine.host(), parts_.scoreboard->rows_of(id));
  parts_.scoreboard->release(id);
}

// Lanes whose data is there may go on, and the mechanism hears of it, unless all of their warp has left meanwhile.
void Core::hear_returns(CoreCycle now) {
  parts_.returns.take_due(now, [&](FlightId id, LaneMask lanes, bool hit) {
    const CoreParts::Load& load = parts_.loads[id];
    const bool mechanism_hears = parts_.traits.hears_returns;
    if (mechanism_hears && parts_.scoreboard) {
      parts_.sleepers.wake(parts_.engine.host(), parts_.scoreboard->rows_of(id));
      parts_.scoreboard->release(id, load.group.group().part(lanes));
    }
    const Host& host = parts_.engine.host();
    if (load.pc == kNoPc || !host.is_open(load.parent, load.age)) return;
    if (host.watch.wants(Observer::kMemory))
      host.watch.tell<&Observer::returned>(Observer::kMemory, LanesReturned{load.parent, load.pc, lanes});
    if (!mechanism_hears) return;
    tell_wake({IdleCause::Memory, load.pc, load.parent, now});
    parts_.engine.mechanism().returned(load.parent, lanes, hit);
    wake_all(now);
  });
}

// ---- issue

inline void Core::issue(CoreCycle now, bool changed) {
  const bool starved = try_all(now, changed);
  if (parts_.traits.hears_stalls) [[unlikely]]
    hear_stalls(now, starved);
}

// Where nothing of the core can go the mechanism may still have somebody.
void Core::hear_stalls(CoreCycle now, bool starved) {
  bool told = tell_stalls();  // behind the issue: it may change who is ready
  if (starved && parts_.engine.mechanism().starved()) {
    try_all(now, true);
    told = tell_stalls() || told;
  }
  if (!told) return;
  for (SubCore& sub_core : sub_cores_) sub_core.try_again(now + 1);
}

// True if it was asked and has nothing.
inline bool Core::ask(SubCore& sub_core, CoreCycle now, bool changed) {
  if (changed || now >= sub_core.due()) return sub_core.issue(now) == SubCore::Found::Nothing;
  sub_core.reconsider(now);
  return false;
}

// True if all were, and have.
inline bool Core::try_all(CoreCycle now, bool changed) {
  if (!several_) return ask(sub_cores_.front(), now, changed);
  bool starved = true;
  const size_t last = sub_cores_.size() - 1;  // their number is a power of two
  size_t at = now.count() & last;
  for (size_t left = sub_cores_.size(); left > 0; --left, at = (at + 1) & last)
    starved = ask(sub_cores_[at], now, changed) && starved;
  return starved;
}

// Warps that could go but for a load that has missed: the mechanism hears of each once per instruction.
bool Core::tell_stalls() {
  bool any = false;
  const Host& host = parts_.engine.host();
  for (const WarpId id : parts_.stalled) {
    const Warp& warp = host.warp(id);
    if (warp.state != WarpState::Ready) continue;
    if (told_.size() <= id) told_.resize(id + 1U);
    const std::pair<uint64_t, Pc> what{warp.serial + 1, warp.pc};
    if (std::exchange(told_[id], what) == what) continue;
    if (host.watch.wants(Observer::kMemory))
      host.watch.tell<&Observer::stalled>(Observer::kMemory, Stalled{id, warp.pc});
    parts_.engine.mechanism().stalled(id);
    any = true;
  }
  parts_.stalled.clear();
  return any;
}

// When there is something to do again.
[[gnu::always_inline]] inline void Core::plan(CoreCycle now) {
  next_ = std::min({parts_.flights.next(now + 1), parts_.lsu.next(now), parts_.returns.next()});
  if (parts_.drain.used()) next_ = std::min(next_, parts_.drain.next());
  for (SubCore& sub_core : sub_cores_) next_ = std::min(next_, sub_core.plan(now));
}

void Core::wake_all(CoreCycle at) {
  for (SubCore& sub_core : sub_cores_) sub_core.wake(at);
  next_ = std::min(next_, at);
}

void Core::wake_readers(FlightId id) {
  unsigned waiting = parts_.register_waits.take(parts_.scoreboard->rows_of(id));
  for (; waiting != 0; waiting &= waiting - 1)
    sub_cores_[static_cast<size_t>(std::countr_zero(waiting))].wake(parts_.engine.host().now);
}

// What has moved may have missed, too, which mechanisms that hear of stalls want to know.
void Core::wake_for_stage(CoreCycle now) {
  for (unsigned i = 0; i < sub_cores_.size(); ++i) {
    SubCore& sub_core = sub_cores_[i];
    const bool waits = sub_core.waits_for_stage(), full = waits && parts_.lsu.full(i, now);
    if ((waits && !full) || parts_.traits.hears_stalls) sub_core.wake(now);
    if (full) sub_core.try_again(parts_.lsu.next_place());
  }
}

bool Core::nothing_to_issue() const {
  return parts_.engine.host().ready().empty() && parts_.fetching == 0 &&
         std::none_of(sub_cores_.begin(), sub_cores_.end(), [](const SubCore& each) { return each.issuing(); });
}

// ---- where the cycles went

void Core::account(CoreCycle now) {
  for (SubCore& sub_core : sub_cores_) sub_core.account(now);
}

void Core::settle(CoreCycle now) {
  parts_.stats.machine_instructions += std::exchange(parts_.engine.host().waits_at_meetings, 0);
  account(now);
  parts_.lsu.account(now);
}

void Core::finish(CoreCycle now) {
  settle(now);
  if (!parts_.watch) return;
  for (SubCore& sub_core : sub_cores_) sub_core.watch()->end_wait(kNoWarp, kNoPc);
}

CoreCycle Core::accounted() const {
  CoreCycle last{0};
  for (const SubCore& sub_core : sub_cores_) last = std::max(last, sub_core.accounted());
  return last;
}

void Core::tell_wake(const PortWatch::Reason& reason) {
  if (!parts_.watch) return;
  for (SubCore& sub_core : sub_cores_) sub_core.watch()->wakes(reason);
}

// A result is there for warps of one sub-core; where a control instruction leads may be to any.
void Core::tell_completed(FlightId id, const Flight& flight) {
  const PortWatch::Reason reason{cause_of(parts_.instruction(flight.pc)), flight.pc, flight.warp,
                                 parts_.engine.host().now};
  if (parts_.table.costs[flight.pc].goes_on)
    sub_cores_[flight.part].watch()->wakes(reason);
  else
    tell_wake(reason);
  parts_.watch->completed(id, flight);
}

void Core::explain(std::string& text) const {
  parts_.engine.list_warps(text);
  for (BlockId block : parts_.running) parts_.engine.explain(block, text);
  parts_.lsu.explain(text);
  if (parts_.flights.under_way() > 0)
    text += fmt::format("  {} instructions under way, {} of them wait for memory\n", parts_.flights.under_way(),
                        parts_.flights.waiting_for_memory());
}

}  // namespace heddle
