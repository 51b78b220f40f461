#include "core/core_watch.h"

#include <algorithm>
#include <array>

#include "base/address_map.h"

namespace heddle {
namespace {

// Lines of constants do not know their bytes: they are single addresses.
unsigned sectors_touched(const LineAccess& line) { return std::max(count_of(line.sectors()), 1U); }

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

void CoreWatch::comes(FlightId id, const Flight& flight, const Access& access) {
  Accessed& event = accesses_[flight.part].append();
  event = {};
  if (access.mask.empty()) return;
  event.block = started_[id].block;
  event.space = space_of(access);
  event.threads = access.mask.count();
  event.stride = stride_of(access);
}

void CoreWatch::begins(FlightId flight, WarpId warp) {
  if (started_.size() <= flight) started_.resize(flight + 1);
  started_[flight] = {host_.now, host_.warp(warp).block};
}

void CoreWatch::went_along(WarpId warp, Pc pc) {
  if (!host_.watch.wants(Observer::kFlights)) return;
  host_.watch.tell<&Observer::completed>(Observer::kFlights,
                                         Completed{warp, host_.warp(warp).block, pc, host_.now, false, false});
}

void CoreWatch::completed(FlightId id, const Flight& flight) {
  if (!host_.watch.wants(Observer::kFlights)) return;
  const Started& started = started_[id];
  const bool memory = touches_memory(host_.kernel().code[flight.pc].op);
  host_.watch.tell<&Observer::completed>(
      Observer::kFlights, Completed{flight.warp, started.block, flight.pc, started.when, memory, flight.missed});
}

void CoreWatch::served(const StageGroup& group, const Flight& flight) {
  if (!touches_memory(host_.kernel().code[flight.pc].op)) return;
  Queue<Accessed>& accesses = accesses_[flight.part];
  Accessed event = accesses.front();
  accesses.pop();
  if (event.threads == 0 || !host_.watch.wants(Observer::kAccesses)) return;
  event.warp = flight.warp;
  event.pc = flight.pc;
  event.lines = static_cast<unsigned>(group.lines.size());
  for (const LineAccess& line : group.lines) event.sectors += sectors_touched(line);
  event.bank_passes = group.bank_passes;
  event.misses = group.below;
  event.hits = event.lines - event.misses;
  host_.watch.tell<&Observer::accessed>(Observer::kAccesses, event);
}

}  // namespace heddle
