#include "core/load_store_unit.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

using Path = StageGroup::Path;
using Kind = FirstLevel::Answer::Kind;

namespace {

// Lines as those of a cache, and nothing that keeps them.
CacheShape no_cache(CacheShape shape) {
  shape.bytes = 0;
  return shape;
}

// What a load wants of a line: where there are no sectors nobody asks.
Sectors wanted(const FirstLevel& cache, const LineAccess& line) {
  return cache.has_sectors() ? line.sectors() : Sectors{0};
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(const CoreParameters& p, unsigned core, Outlet& outlet, Flights& flights,
                             LaneReturns* returns, CoreWatch* watch, CoreStats& stats)
    : parameters_(p),
      places_(std::max(1U, p.memory_stage / p.interval)),
      stage_(p.stage_cycles),
      rest_(p.unit(Unit::Memory).latency - p.memory_stage),
      outlet_(outlet),
      flights_(flights),
      returns_(returns),
      watch_(watch),
      stats_(stats),
      l1_(Origin::Data, "l1", p.l1, p, outlet, stats.l1),
      past_(Origin::Past, "past", no_cache(p.l1), p, outlet, stats.l1),
      constant_(Origin::Constant, "const", p.constant, p, outlet, stats.constant),
      texture_(Origin::Texture, "texture", p.texture, p, outlet, stats.texture),
      collector_(p, core, stats),
      last_stage_(p.interval),
      waiting_(p.sub_cores, p.memory_queue, p.address_interval),
      stores_(p.store_lines, p.store_wait),
      entering_(places_) {}

void LoadStoreUnit::access(FlightId flight, const Instruction& instruction, const Access& access, const Lanes& lanes,
                           CoreCycle now) {
  StageGroup& group = append(flight, rest_, now);
  collect(group, instruction, access, lanes);
  if (waiting_.used() || queue_.size() > 1) return;
  if (group.path != Path::Fixed) {
    rests_until_ = rest();
    return;
  }
  book(group, now);
  queue_.pop_large();
}

CoreCycle LoadStoreUnit::access_at_once(const Instruction& instruction, const Access& access, const Lanes& lanes,
                                        CoreCycle now) {
  StageGroup& group = append_to(queue_);
  group.ready = now + parameters_.memory_stage;
  group.rest = rest_;
  collector_.collect(group, instruction, access, lanes);
  if (group.path != Path::Fixed) return kNever;
  const CoreCycle end = end_of({group.ready, group.hold, group.rest, group.cause}, now);
  queue_.pop_large();
  return end;
}

void LoadStoreUnit::fly(FlightId flight) {
  queue_.front().flight = flight;
  rests_until_ = rest();
}

inline void LoadStoreUnit::collect(StageGroup& group, const Instruction& instruction, const Access& access,
                                   const Lanes& lanes) {
  collector_.collect(group, instruction, access, lanes);
  if (watch_) watch_->comes(group.flight, flights_.at(group.flight), access);
  if (returns_ && loads_from(group.path)) returns_->start(group.flight, group.lines);
}

Pc LoadStoreUnit::held_by() const {
  return !queue_.empty() && queue_.front().in_stage ? flights_.at(queue_.front().flight).pc : last_;
}

void LoadStoreUnit::tell_served(const StageGroup& group) {
  const Flight& flight = flights_.at(group.flight);
  last_ = flight.pc;
  watch_->served(group, flight);
}

StageGroup& LoadStoreUnit::append(FlightId flight, unsigned rest, CoreCycle now) {
  const CoreCycle ready = now + parameters_.memory_stage;
  StageGroup& group = waiting_.used() ? waiting_.append(flights_.at(flight).part, ready) : append_to(queue_);
  group.flight = flight;
  group.ready = ready;
  group.rest = rest;
  return group;
}

CoreCycle LoadStoreUnit::end_of_reply(CoreCycle now) {
  return parameters_.reply_slots ? last_stage_.reply(now, free_) : now + rest_;
}

bool LoadStoreUnit::work(CoreCycle now) {
  outlet_.drain(now);  // what waits goes first
  const bool moved = move_on(now);
  outlet_.drain(now);  // and what must be written back now, if there is room
  look_ahead(now);
  if (stores_.used()) send_stores(now);
  rests_until_ = rest();
  return moved;
}

// The first group is on its way to the stage, or a line of it is served; look_ahead() comes one cycle before the next.
CoreCycle LoadStoreUnit::rest() const {
  if (queue_.empty() || outlet_.waits() || stores_.used()) return CoreCycle(0);
  const StageGroup& front = queue_.front();
  if (!front.in_stage) return std::max(front.ready, free_);
  return blocked_ ? CoreCycle(0) : front.resume - 1;
}

[[gnu::always_inline]] inline bool LoadStoreUnit::move_on(CoreCycle now) {
  for (bool moved = false;;) {
    if (queue_.empty()) {
      if (!take_next(now)) return moved;
      moved = true;  // there is a place where it was
    }
    StageGroup& group = queue_.front();
    if (group.path == Path::Fixed) {
      book(group, now);
      queue_.pop_large();
      moved = true;
      continue;
    }
    const CoreCycle enter = std::max(group.ready, free_);
    if (!group.in_stage && now < enter) return moved;
    if (!group.in_stage) {
      group.in_stage = moved = true;
      group.entered = now;
    }
    if (now < group.resume || !serve_lines(group, now)) return moved;
    if (watch_) tell_served(group);
    pass_banks(group);
    const CoreCycle served = std::max(group.entered + std::max(stage_, group.hold), group.resume);
    free_ = group.waiting < group.lines.size() ? leave(served, now) : served;  // what waits for memory ends then
    flights_.done(group.flight, group.resume - parameters_.l1_cycle + group.rest + (free_ - served));
    queue_.pop_large();
    moved = true;
  }
}

// The stage is free, and some sub-core has a group for it.
bool LoadStoreUnit::take_next(CoreCycle now) {
  if (now < free_ || now < waiting_.next()) return false;
  waiting_.take(queue_, now);
  return true;
}

// As many lines as the ports allow, and the hits of a load that follow: nothing that happens meanwhile can change them,
// so they need no tick of their own. True when the last has gone.
[[gnu::always_inline]] inline bool LoadStoreUnit::serve_lines(StageGroup& group, CoreCycle now) {
  account(now);
  blocked_ = false;
  const size_t before = group.done;
  const size_t end = std::min(group.lines.size(), before + ports(group, now));
  FirstLevel::Answer answer{Kind::Blocked, MemoryStall::Port};
  unsigned below = 0;
  for (; group.done < end; ++group.done) {
    if (below == parameters_.l1_miss_ports) {
      if (!serve_hit(group, now)) break;
      continue;
    }
    answer = serve(group, group.lines[group.done], now);
    if (answer.kind == Kind::Blocked) break;
    if (answer.kind == Kind::Waits) {
      flights_.wait(group.flight);
      ++group.waiting;
    }
    below += answer.kind != Kind::Hit;
  }
  if (group.done == before) {
    block(now, answer.cause);
    return false;
  }
  group.below = static_cast<uint16_t>(group.below + below);
  group.resume = now + parameters_.l1_cycle;
  if (group.done == end) serve_hits(group);
  const bool constant = group.path == Path::Constant;
  count_hold(group, now, group.resume, constant ? MemoryStall::Constants : MemoryStall::Lines);
  return group.done == group.lines.size();
}

// Its lines are found; reading them may take longer.
void LoadStoreUnit::pass_banks(StageGroup& group) {
  const CoreCycle read = group.entered + group.read_passes * parameters_.l1_cycle;
  if (read <= group.resume) return;
  count_hold(group, group.resume, read, MemoryStall::Banks);
  group.resume = read;
  if (group.waiting < group.lines.size())
    flights_.at_least(group.flight, read - parameters_.l1_cycle + hit_latency(group.path));
}

void LoadStoreUnit::serve_hits(StageGroup& group) {
  const unsigned ports = this->ports(group, group.resume);
  for (unsigned taken = 0; group.done < group.lines.size(); ++group.done) {
    if (!serve_hit(group, group.resume)) return;
    if (++taken < ports && group.done + 1 < group.lines.size()) continue;
    taken = 0;
    group.resume += parameters_.l1_cycle;
  }
}

// The next line of a load, if the cache has it.
bool LoadStoreUnit::serve_hit(const StageGroup& group, CoreCycle now) {
  FirstLevel* const cache = loads_from(group.path);
  const LineAccess& line = group.lines[group.done];
  if (!cache || !cache->read_hit(line.address, wanted(*cache, line))) return false;
  there(group, line.address, now + hit_latency(group.path));
  return true;
}

FirstLevel* LoadStoreUnit::loads_from(Path path) {
  switch (path) {
    case Path::Load: return &l1_;
    case Path::Past: return &past_;
    case Path::Constant: return &constant_;
    case Path::Texture: return &texture_;
    case Path::Store:
    case Path::Atomic:
    case Path::Fixed: break;
  }
  return nullptr;
}

inline FirstLevel& LoadStoreUnit::asked_by(Origin origin) {
  switch (origin) {
    case Origin::Data: return l1_;
    case Origin::Past: return past_;
    case Origin::Constant: return constant_;
    case Origin::Texture: return texture_;
    case Origin::Instruction:
    case Origin::Atomic: break;
  }
  fail("a reply that nobody asked for");
}

// A line of a load is in the cache: its bytes are there at `when`.
void LoadStoreUnit::there(const StageGroup& group, Address line, CoreCycle when) {
  flights_.at_least(group.flight, when);
  if (returns_) returns_->arrives(group.flight, line, 1, when, true);
}

// Cycles from a hit in the stage to the end.
unsigned LoadStoreUnit::hit_latency(Path path) const {
  if (path == Path::Constant) return parameters_.const_latency - parameters_.memory_stage;
  return path == Path::Load ? parameters_.l1_latency - 1 + rest_ : rest_;
}

// If the next line of a load is stopped too, there is no need to come back for it in the next cycle.
inline void LoadStoreUnit::look_ahead(CoreCycle now) {
  if (queue_.empty() || blocked_) return;
  const StageGroup& group = queue_.front();
  if (!group.in_stage || group.path != Path::Load || now + 1 != group.resume) return;
  const LineAccess& line = group.lines[group.done];
  if (const auto cause = l1_.read_obstacle(line.address, wanted(l1_, line))) block(now + 1, *cause);
}

void LoadStoreUnit::block(CoreCycle since, MemoryStall cause) {
  blocked_ = true;
  blocked_since_ = since;
  blocked_by_ = cause;
}

void LoadStoreUnit::account(CoreCycle now) {
  if (!blocked_ || blocked_since_ >= now) return;
  count_hold(queue_.front(), blocked_since_, now, blocked_by_);
  blocked_since_ = now;
}

unsigned LoadStoreUnit::ports(const StageGroup& group, CoreCycle now) const {
  if (group.path == Path::Constant) return parameters_.constant_ports;
  if (group.path != Path::Store) return parameters_.l1_read_ports;
  const unsigned taken = fill_cycle_ == now ? fills_ : 0;
  return parameters_.l1_write_ports - std::min(taken, parameters_.l1_write_ports);
}

// Cycles in the stage beyond those a warp instruction always takes.
void LoadStoreUnit::count_hold(const StageGroup& group, CoreCycle from, CoreCycle to, MemoryStall cause) {
  from = std::max(from, group.entered + stage_);
  if (from < to) stats_.memory_stalls[static_cast<size_t>(cause)] += to - from;
}

inline FirstLevel::Answer LoadStoreUnit::serve(const StageGroup& group, const LineAccess& line, CoreCycle now) {
  if (FirstLevel* const cache = loads_from(group.path)) {
    const FirstLevel::Answer answer = cache->read(line.address, group.flight, now, wanted(*cache, line));
    if (answer.kind == Kind::Hit) there(group, line.address, now + hit_latency(group.path));
    return answer;
  }
  if (group.path == Path::Atomic) return send_atomic(group, line, now);
  if (parameters_.l1_write_back) return l1_.write_if_there(line, now);
  if (parameters_.local_back && line.address >= kLocalPhysical) return l1_.write_back(line, now);
  return stores_.used() ? keep_store(line, now) : l1_.write_through(line, now);
}

// A line that is written whole waits for nothing.
FirstLevel::Answer LoadStoreUnit::keep_store(const LineAccess& line, CoreCycle now) {
  if (line.byte_count() == l1_.line_bytes()) return l1_.write_through(line, now);
  if (const LineAccess* const together = stores_.join(line, now)) {
    l1_.write_later(line, *together);
    return {Kind::Sent};
  }
  if (stores_.full()) {
    if (!outlet_.room()) return {Kind::Blocked, MemoryStall::Network};
    send_oldest(now);
  }
  l1_.write_later(line, line);
  stores_.add(line, now);
  return {Kind::Sent};
}

void LoadStoreUnit::send_stores(CoreCycle now) {
  const bool due = !stores_.empty() && now >= stores_.due();
  stores_lack_room_ = due && !outlet_.room();
  if (due && !stores_lack_room_) send_oldest(now);
}

void LoadStoreUnit::send_oldest(CoreCycle now) {
  l1_.send_write(stores_.oldest(), now);
  stores_.pop();
}

FirstLevel::Answer LoadStoreUnit::send_atomic(const StageGroup& group, const LineAccess& line, CoreCycle now) {
  if (parameters_.l1_mshr_each && atomics_ + l1_.waiting() >= parameters_.l1_mshrs)
    return {Kind::Blocked, MemoryStall::Mshr};
  if (!outlet_.room()) return {Kind::Blocked, MemoryStall::Network};
  if (!parameters_.l1_write_back) l1_.invalidate(line.address);  // else it may be dirty, and stays
  atomics_ += group.answered;
  const auto bytes = static_cast<uint16_t>(line.lanes * group.operand_bytes);
  outlet_.send({Request::Kind::Atomic, group.answered, 0, bytes, static_cast<uint16_t>(l1_.line_bytes()),
                line.operations, line.sectors(), false, tag_of(Origin::Atomic, group.flight), line.address},
               now);
  return {group.answered ? Kind::Waits : Kind::Sent};
}

CoreCycle LoadStoreUnit::reply(uint32_t tag, CoreCycle now) {
  // What waits for the network goes on waiting, but for stores: a fill takes their port.
  const bool touched = blocked_ && (blocked_by_ != MemoryStall::Network || queue_.front().path == Path::Store);
  CoreCycle due = touched ? now : kNever;
  const auto wake = [&](FlightId flight, Address line) {
    const CoreCycle there = end_of_reply(now);
    if (returns_) returns_->arrives(flight, line, asked_by(origin_of(tag)).line_bytes(), there, false);
    due = std::min(due, flights_.line_done(flight, there));
  };
  const Origin origin = origin_of(tag);
  if (origin == Origin::Atomic) {
    --atomics_;
    return std::min(due, flights_.line_done(index_of(tag), end_of_reply(now)));
  }
  if (origin == Origin::Data) {
    if (fill_cycle_ != now) fills_ = 0;
    fill_cycle_ = now;
    ++fills_;
  }
  asked_by(origin).fill(index_of(tag), wake);
  if (origin == Origin::Data && outlet_.waits()) due = rests_until_ = now;  // it has taken a dirty line's way
  return due;
}

void LoadStoreUnit::explain(std::string& text) const {
  if (queue_.empty()) return;
  const StageGroup& front = queue_.front();
  text +=
      fmt::format("  the memory stage holds an instruction: {} of {} lines served{}\n", front.done, front.lines.size(),
                  blocked_ ? fmt::format(", stopped by: {}", name_of(blocked_by_)) : std::string());
}

}  // namespace heddle
