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
  if (!several_ || parts_.traits.hears_stalls) always_ = (1U << sub_cores_.size()) - 1;
  lean_ = !several_ && sub_cores_.front().lean() && !parts_.traits.hears_stalls;
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
  if (!parts_.has_first_code) parts_.look_for_first_code();
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
  for (unsigned turned = parts_.flights.take_turned(); turned != 0; turned &= turned - 1)
    sub_cores_[static_cast<size_t>(std::countr_zero(turned))].reconsider(now);
}

// Lines that wait, those of the memory stage and what these push out, stores that waited for more, and code. The line
// behind is asked for, too (LoadStoreUnit::look_ahead). Any number of warps may ask for code, but for no line of it
// twice.
size_t Core::most_requests() const {
  return parts_.outlet.waiting() + most_of_lines() + most_of_stores() + 1 + most_of_code();
}

// The memory stage serves lines once in an l1_cycle. Each that goes below may push a dirty one out.
size_t Core::most_of_lines() const {
  const CoreParameters& p = parts_.parameters;
  const size_t below = std::min(p.l1_miss_ports, std::max({p.l1_read_ports, p.l1_write_ports, p.constant_ports}));
  return p.keeps_dirty() ? 2 * below : below;
}

size_t Core::most_of_stores() const { return parts_.parameters.store_lines > 0 ? 1 : 0; }  // in a cycle

size_t Core::most_of_code() const {
  const CoreParameters& p = parts_.parameters;
  const bool lacks_code = p.instruction.bytes > 0 && !parts_.has_all_code && !parts_.outlet.sends_code_apart();
  return lacks_code ? parts_.table.code_bytes / p.instruction.line + 2 : 0;
}

bool Core::replies_send() const { return parts_.parameters.l1.on_fill && parts_.parameters.keeps_dirty(); }

// A line that is still to come may push a dirty one out.
Core::Sending Core::most_sent() const {
  const size_t coming = replies_send() ? parts_.outlet.unanswered() : 0;
  const size_t cycle = parts_.parameters.l1_cycle;
  return {most_requests() + coming,
          (kSpan * most_of_lines() + cycle - 1) / cycle + kSpan * (most_of_stores() + most_of_code())};
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
    text +=
        fmt::format("  instructions are under way, {} of them wait for memory\n", parts_.flights.waiting_for_memory());
}

}  // namespace heddle
