// Which registers wait for instructions under way, by row of 32 threads: regrouped warps read rows of several static
// warps, so rows, not warps, are what must be remembered. It is precise to the lane where splits of one warp issue
// independently (Traits::splits); else whole rows wait for any of their threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/flights.h"
#include "divergence/host.h"
#include "program/register_uses.h"

namespace heddle {

class Scoreboard {
 public:
  Scoreboard(const RegisterUses& uses, bool lanes) : uses_(uses), lanes_(lanes) {}
  // No register of the instruction is waited for by the group.
  [[gnu::always_inline]] bool free(Pc pc, const Group& group) const {
    if (group.kind != Group::Kind::Rows) return all_free(pc, group);
    return (marks_of(group.row) & uses_.marks[pc]) == 0 || row_free(pc, group.row, group.mask);
  }
  LaneMask able(Pc pc, const Group& group) const;  // lanes of a row group for which that is so
  Wait wait_of(Pc pc, const Group& group, const Flights& flights) const;
  [[gnu::always_inline]] void take(FlightId flight, Pc pc, const Group& group) {
    if (rows_.size() <= flight) [[unlikely]]
      rows_.resize(flight + 1);
    if (group.kind == Group::Kind::Rows)
      take_row(flight, pc, group.row, lanes_ ? group.mask : LaneMask::all());
    else
      take_rows(flight, pc, group);
  }
  // The instruction is done, but for what it reads: who waits for its results waits for that.
  void pass_on(Pc pc, const Group& group);
  void release(FlightId flight);
  void release(FlightId flight, const Group& part);           // these threads have what they wait for
  std::span<const uint16_t> rows_of(FlightId flight) const {  // rows in which it is waited for
    return flight < rows_.size() ? std::span<const uint16_t>(rows_[flight]) : std::span<const uint16_t>();
  }

 private:
  struct Waiting {
    uint32_t at;  // register
    LaneMask lanes;
    FlightId flight;
  };
  struct Row {
    uint64_t marks = 0;  // of the registers that are waited for
    std::vector<Waiting> waiting;
    template <class F>
    void drop_if(F&& f) {
      std::erase_if(waiting, f);
      marks = 0;
      for (const Waiting& each : waiting) marks |= RegisterUses::mark_of(each.at);
    }
    void add(const Waiting& each) {
      waiting.push_back(each);
      marks |= RegisterUses::mark_of(each.at);
    }
  };
  uint64_t marks_of(unsigned row) const { return row < by_row_.size() ? by_row_[row].marks : 0; }
  bool all_free(Pc pc, const Group& group) const;
  bool row_free(Pc pc, uint16_t row, LaneMask lanes) const;
  [[gnu::always_inline]] void take_row(FlightId flight, Pc pc, uint16_t row, LaneMask lanes) {
    if (by_row_.size() <= row) [[unlikely]]
      by_row_.resize(row + 1U);
    for (const uint32_t written : uses_.written[pc]) by_row_[row].add({written, lanes, flight});
    rows_[flight].push_back(row);
  }
  void take_rows(FlightId flight, Pc pc, const Group& group);
  template <class F>
  void for_each_row(const Group& group, F&& f) const;
  template <class F>
  void for_each_wait(Pc pc, const Group& group, F&& f) const;  // f(flight) of what the group waits for

  const RegisterUses& uses_;
  const bool lanes_;  // precise to the lane
  std::vector<Row> by_row_;
  std::vector<std::vector<uint16_t>> rows_;  // by flight
};

}  // namespace heddle
