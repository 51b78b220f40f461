#include "core/scoreboard.h"

#include <algorithm>

namespace heddle {

// Each row of the group with its lanes, once, more or less: neighbours in a list are mostly of one row.
template <class F>
void Scoreboard::for_each_row(const Group& group, F&& f) const {
  const auto call = [&](unsigned row, LaneMask lanes) {
    f(static_cast<uint16_t>(row), lanes_ ? lanes : LaneMask::all());
  };
  if (group.kind == Group::Kind::Rows) return call(group.row, group.mask);
  unsigned last = ~0U;
  LaneMask lanes;
  for_each_lane(group.mask, [&](unsigned k) {
    const unsigned row = group.thread(k) / kRow;
    if (row != last && last != ~0U) call(last, lanes);
    if (row != last) lanes = {};
    lanes.add(group.thread(k) % kRow);
    last = row;
  });
  if (last != ~0U) call(last, lanes);
}

template <class F>
void Scoreboard::for_each_wait(Pc pc, const Group& group, F&& f) const {
  for_each_row(group, [&](uint16_t row, LaneMask lanes) {
    if (row >= by_row_.size()) return;
    for (const Waiting& waiting : by_row_[row].waiting)
      for (uint32_t wanted : uses_.used[pc])
        if (waiting.at == wanted && !(waiting.lanes & lanes).empty()) f(waiting.flight);
  });
}

void Scoreboard::Known::make_room(size_t more, CoreCycle now) {
  const auto used = each.begin() + static_cast<std::ptrdiff_t>(count);
  count = static_cast<size_t>(std::remove_if(each.begin(), used, [&](const Each& e) { return e.end <= now; }) -
                              each.begin());
  if (count + more > each.size()) each.resize(2 * (count + more));
}

template <class F>
void Scoreboard::for_each_known(Pc pc, const Group& group, F&& f) const {
  for_each_row(group, [&](uint16_t row, LaneMask) {
    if (row >= by_row_.size()) return;
    for (const Known::Each& known : by_row_[row].known.all())
      for (const uint32_t wanted : uses_.used[pc])
        if (known.at == wanted) f(known.end);
  });
}

bool Scoreboard::all_free(Pc pc, const Group& group, CoreCycle now) const { return there(pc, group, now) <= now; }

CoreCycle Scoreboard::there(Pc pc, const Group& group, CoreCycle now) const {
  CoreCycle there = now;
  for_each_known(pc, group, [&](CoreCycle end) { there = std::max(there, end); });
  for_each_wait(pc, group, [&](FlightId) { there = kNever; });
  return there;
}

bool Scoreboard::row_free(Pc pc, uint16_t row, LaneMask lanes, CoreCycle now) const {
  const std::vector<uint32_t>& used = uses_.used[pc];
  const auto uses = [&](uint32_t at) { return std::find(used.begin(), used.end(), at) != used.end(); };
  for (const Waiting& waiting : by_row_[row].waiting)
    if ((!lanes_ || !(waiting.lanes & lanes).empty()) && uses(waiting.at)) return false;
  const std::span<const Known::Each> known = by_row_[row].known.all();
  return std::none_of(known.begin(), known.end(),
                      [&](const Known::Each& each) { return each.end > now && uses(each.at); });
}

Wait Scoreboard::wait_of(Pc pc, const Group& group, const Flights& flights) const {
  Wait wait = Wait::Nothing;
  for_each_wait(pc, group, [&](FlightId flight) {
    wait = std::max(wait, flights.has_missed(flight) ? Wait::Memory : Wait::Result);
  });
  return wait;
}

LaneMask Scoreboard::able(Pc pc, const Group& group) const {
  LaneMask able = group.mask;
  for_each_row(group, [&](uint16_t row, LaneMask) {
    if (row >= by_row_.size()) return;
    for (const Waiting& waiting : by_row_[row].waiting)
      for (uint32_t wanted : uses_.used[pc])
        if (waiting.at == wanted) able = able.without(waiting.lanes);
  });
  return able;
}

void Scoreboard::take_rows(FlightId flight, Pc pc, const Group& group) {
  for_each_row(group, [&](uint16_t row, LaneMask lanes) { take_row(flight, pc, row, lanes); });
}

void Scoreboard::take_rows_until(CoreCycle end, Pc pc, const Group& group, CoreCycle now) {
  for_each_row(group, [&](uint16_t row, LaneMask) { take_row_until(end, pc, row, now); });
}

void Scoreboard::pass_on(Pc pc, const Group& group, CoreCycle now) {
  const std::span<const uint32_t> written = uses_.written[pc],
                                  read = std::span<const uint32_t>(uses_.used[pc]).subspan(written.size());
  for_each_row(group, [&](uint16_t row, LaneMask lanes) {
    if (row >= by_row_.size()) return;
    Row& own = by_row_[row];
    for (size_t i = 0, known = own.waiting.size(); i < known; ++i) {
      const Waiting waiting = own.waiting[i];
      if (std::find(read.begin(), read.end(), waiting.at) == read.end() || (waiting.lanes & lanes).empty()) continue;
      for (uint32_t at : written) own.add({at, waiting.lanes & lanes, waiting.flight});
    }
    CoreCycle end = now;
    for (const Known::Each& known : own.known.all())
      if (std::find(read.begin(), read.end(), known.at) != read.end()) end = std::max(end, known.end);
    if (end > now) own.known.add(written, end, now);
  });
}

void Scoreboard::release(FlightId flight) {
  if (flight >= rows_.size()) return;  // a slot that executed nothing has taken nothing
  for (uint16_t row : rows_[flight])
    by_row_[row].drop_if([&](const Waiting& waiting) { return waiting.flight == flight; });
  rows_[flight].clear();
}

void Scoreboard::release(FlightId flight, const Group& part) {
  for_each_row(part, [&](uint16_t row, LaneMask lanes) {
    by_row_[row].drop_if([&](Waiting& waiting) {
      if (waiting.flight == flight) waiting.lanes = waiting.lanes.without(lanes);
      return waiting.lanes.empty();
    });
  });
}

}  // namespace heddle
