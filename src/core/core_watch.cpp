#include "core/core_watch.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/address_map.h"

namespace heddle {
namespace {

constexpr unsigned kSectorBytes = 32;

IdleCause cause_of(const Instruction& instruction) {
  if (instruction.flow == Flow::Barrier) return IdleCause::Barrier;
  return touches_memory(instruction.op) ? IdleCause::Memory : IdleCause::Dependency;
}

// Lines of constants do not know their bytes: they are single addresses.
unsigned sectors_of(const LineAccess& line) {
  unsigned sectors = 0;
  for (const uint64_t half : line.bytes)
    for (uint64_t rest = half; rest != 0; rest >>= kSectorBytes) sectors += (rest & 0xffffffff) != 0 ? 1 : 0;
  return std::max(sectors, 1U);
}

Space space_at(Address address) {
  if (address - kSharedWindow < kWindowBytes) return Space::Shared;
  return address - kLocalWindow < kWindowBytes ? Space::Local : Space::Global;
}

// Counts few different values.
template <class Value>
class Tally {
 public:
  void add(Value value) {
    for (size_t i = 0; i < used_; ++i)
      if (counts_[i].first == value) {
        ++counts_[i].second;
        return;
      }
    counts_[used_++] = {value, 1};
  }
  bool empty() const { return used_ == 0; }
  Value commonest() const {  // the smallest of several
    return std::max_element(counts_.begin(), counts_.begin() + used_,
                            [](const auto& a, const auto& b) {
                              return a.second != b.second ? a.second < b.second : b.first < a.first;
                            })
        ->first;
  }

 private:
  std::array<std::pair<Value, unsigned>, kRow> counts_;
  size_t used_ = 0;
};

int64_t stride_of(const Access& access) {
  Tally<int64_t> differences;
  Address last = 0;
  bool first = true;
  for_each_lane(access.mask, [&](unsigned lane) {
    if (!first) differences.add(static_cast<int64_t>(access.address[lane] - last));
    last = access.address[lane];
    first = false;
  });
  return differences.empty() ? 0 : differences.commonest();
}

Space space_of(const Access& access) {
  if (access.space != Space::None) return access.space;
  Tally<Space> spaces;
  for_each_lane(access.mask, [&](unsigned lane) { spaces.add(space_at(access.address[lane])); });
  return spaces.commonest();
}

}  // namespace

void CoreWatch::comes(FlightId flight, const Access& access) {
  Accessed& event = accesses_.append();
  event = {};
  if (access.mask.empty()) return;
  event.block = started_[flight].block;
  event.space = space_of(access);
  event.threads = access.mask.count();
  event.stride = stride_of(access);
}

void CoreWatch::issued(WarpId warp, Pc pc, FlightId flight, Unit unit, bool first) {
  end_wait(warp, pc);
  unit_taken_by_[static_cast<size_t>(unit)] = pc;
  if (!first) return;
  if (started_.size() <= flight) started_.resize(flight + 1);
  started_[flight] = {host_.now, host_.warp(warp).block};
}

void CoreWatch::completed(FlightId id, const Flight& flight, CoreCycle now) {
  const Instruction& instruction = host_.kernel().code[flight.pc];
  wakes({cause_of(instruction), flight.pc, flight.warp, now});
  if (!host_.watch.wants(Observer::kFlights)) return;
  const Started& started = started_[id];
  host_.watch.tell<&Observer::completed>(
      Observer::kFlights,
      Completed{flight.warp, started.block, flight.pc, started.when, touches_memory(instruction.op), flight.missed});
}

void CoreWatch::served(const StageGroup& group, const Flight& flight) {
  if (!touches_memory(host_.kernel().code[flight.pc].op)) return;
  Accessed event = accesses_.front();
  accesses_.pop();
  if (event.threads == 0 || !host_.watch.wants(Observer::kAccesses)) return;
  event.warp = flight.warp;
  event.pc = flight.pc;
  event.lines = static_cast<unsigned>(group.lines.size());
  for (const LineAccess& line : group.lines) event.sectors += sectors_of(line);
  event.bank_passes = group.bank_passes;
  event.misses = group.below;
  event.hits = event.lines - event.misses;
  host_.watch.tell<&Observer::accessed>(Observer::kAccesses, event);
}

void CoreWatch::wakes(const Reason& reason) {
  if (!wakes_.empty() && wakes_.back().when != reason.when) wakes_.clear();
  wakes_.push_back(reason);
}

const CoreWatch::Reason& CoreWatch::end_of_wait(WarpId goes) const {
  static constexpr Reason kNobodyKnows;
  if (wakes_.empty()) return kNobodyKnows;
  const auto own = std::find_if(wakes_.begin(), wakes_.end(), [&](const Reason& r) { return r.warp == goes; });
  return own != wakes_.end() && goes != kNoWarp ? *own : wakes_.back();
}

void CoreWatch::passed(CoreCycle from, CoreCycle to, IdleClass in, CoreCycle port_free, bool resident) {
  static constexpr Reason kPort{IdleCause::Port}, kEmpty{IdleCause::NoWarp};
  if (!resident) return add(from, to, in, &kEmpty);
  if (from < port_free) {
    add(from, std::min(to, port_free), in, &kPort);
    from = port_free;
    if (from >= to) return;
  }
  if (in == IdleClass::Stall) charge(end_of_wait(kNoWarp));  // what was before is another wait
  add(from, to, in, in == IdleClass::Stall ? &stall_ : nullptr);
}

void CoreWatch::add(CoreCycle from, CoreCycle to, IdleClass in, const Reason* reason) {
  Idled what{from, to - from, in, {}, kNoPc, crowded_barrier()};
  if (reason) what.cause = reason->cause, what.waited_for = reason->pc;
  spans_.push_back({what, reason != nullptr});
}

void CoreWatch::charge(const Reason& reason) {
  for (Span& span : spans_) {
    if (span.known) continue;
    span = {{span.what.from, span.what.cycles, span.what.in, reason.cause, reason.pc, span.what.barrier}, true};
  }
}

void CoreWatch::end_wait(WarpId warp, Pc pc) {
  Reason reason = end_of_wait(warp);
  if (reason.cause == IdleCause::Fetch) reason.pc = pc;
  charge(reason);
  for (const Span& span : spans_) host_.watch.tell<&Observer::idled>(Observer::kIdle, span.what);
  spans_.clear();
  wakes_.clear();
}

Pc CoreWatch::crowded_barrier() const {
  const unsigned there = host_.count(WarpState::AtBarrier);
  const unsigned others = host_.count(WarpState::Ready) + host_.count(WarpState::InFlight) +
                          host_.count(WarpState::Held) + host_.count(WarpState::AtSync);
  if (there <= others) return kNoPc;
  std::map<Pc, unsigned> waiting;
  for (WarpId id{0}; id < host_.size(); ++id)
    if (const Warp& warp = host_.warp(id); warp.state == WarpState::AtBarrier) ++waiting[warp.pc];
  return std::max_element(waiting.begin(), waiting.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace heddle
