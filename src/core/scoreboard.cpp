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
    if (row >= waiting_.size()) return;
    for (const Waiting& waiting : waiting_[row])
      for (uint32_t wanted : uses_.used[pc])
        if (waiting.at == wanted && !(waiting.lanes & lanes).empty()) f(waiting.flight);
  });
}

bool Scoreboard::free(Pc pc, const Group& group) const {
  if (group.kind == Group::Kind::Rows) return row_free(pc, group.row, group.mask);
  bool free = true;
  for_each_wait(pc, group, [&](FlightId) { free = false; });
  return free;
}

// What most groups are, and those who ask ask often.
bool Scoreboard::row_free(Pc pc, uint16_t row, LaneMask lanes) const {
  if (row >= waiting_.size()) return true;
  for (const Waiting& waiting : waiting_[row]) {
    if (lanes_ && (waiting.lanes & lanes).empty()) continue;
    for (const uint32_t wanted : uses_.used[pc])
      if (waiting.at == wanted) return false;
  }
  return true;
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
    if (row >= waiting_.size()) return;
    for (const Waiting& waiting : waiting_[row])
      for (uint32_t wanted : uses_.used[pc])
        if (waiting.at == wanted) able = able.without(waiting.lanes);
  });
  return able;
}

void Scoreboard::take(FlightId flight, Pc pc, const Group& group) {
  if (rows_.size() <= flight) rows_.resize(flight + 1);
  const auto take = [&](uint16_t row, LaneMask lanes) {
    if (waiting_.size() <= row) waiting_.resize(row + 1U);
    std::vector<Waiting>& waiting = waiting_[row];
    for (uint32_t written : uses_.written[pc]) waiting.push_back({written, lanes, flight});
    rows_[flight].push_back(row);
  };
  for_each_row(group, take);
}

void Scoreboard::pass_on(Pc pc, const Group& group) {
  const std::span<const uint32_t> written = uses_.written[pc],
                                  read = std::span<const uint32_t>(uses_.used[pc]).subspan(written.size());
  for_each_row(group, [&](uint16_t row, LaneMask lanes) {
    if (row >= waiting_.size()) return;
    for (size_t i = 0, known = waiting_[row].size(); i < known; ++i) {
      const Waiting waiting = waiting_[row][i];
      if (std::find(read.begin(), read.end(), waiting.at) == read.end() || (waiting.lanes & lanes).empty()) continue;
      for (uint32_t at : written) waiting_[row].push_back({at, waiting.lanes & lanes, waiting.flight});
    }
  });
}

void Scoreboard::release(FlightId flight) {
  if (flight >= rows_.size()) return;  // a slot that executed nothing has taken nothing
  for (uint16_t row : rows_[flight])
    std::erase_if(waiting_[row], [&](const Waiting& waiting) { return waiting.flight == flight; });
  rows_[flight].clear();
}

void Scoreboard::release(FlightId flight, const Group& part) {
  for_each_row(part, [&](uint16_t row, LaneMask lanes) {
    std::erase_if(waiting_[row], [&](Waiting& waiting) {
      if (waiting.flight == flight) waiting.lanes = waiting.lanes.without(lanes);
      return waiting.lanes.empty();
    });
  });
}

}  // namespace heddle
