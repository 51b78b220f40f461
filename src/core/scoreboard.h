// Which registers wait for instructions under way, by row of 32 threads: regrouped warps read rows of several static
// warps, so rows, not warps, are what must be remembered. It is precise to the lane where splits of one warp issue
// independently (Traits::splits); else whole rows wait for any of their threads.
//
// Where the end of an instruction is known when it is issued, its registers may be taken until then (take_until), and
// are free from then on without another word. Where lanes are told apart, each must be released.
#pragma once

#include <algorithm>
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
  bool tells_lanes() const { return lanes_; }
  // No register of the instruction is waited for by the group.
  [[gnu::always_inline]] bool free(Pc pc, const Group& group, CoreCycle now) const {
    if (group.kind != Group::Kind::Rows) return all_free(pc, group, now);
    return (marks_of(group.row, now) & uses_.marks[pc]) == 0 || row_free(pc, group.row, group.mask, now);
  }
  // When what the group waits for is there; kNever: that is not known. Not before now.
  CoreCycle there(Pc pc, const Group& group, CoreCycle now) const;
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
  [[gnu::always_inline]] void take_until(CoreCycle end, Pc pc, const Group& group, CoreCycle now) {
    if (group.kind == Group::Kind::Rows)
      take_row_until(end, pc, group.row, now);
    else
      take_rows_until(end, pc, group, now);
  }
  // The instruction is done, but for what it reads: who waits for its results waits for that.
  void pass_on(Pc pc, const Group& group, CoreCycle now);
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
  // Registers that are there at a known time.
  struct Known {
    struct Each {
      uint32_t at;
      CoreCycle end;
    };
    CoreCycle end{0};    // of all of them
    uint64_t marks = 0;  // theirs, and maybe of some that have ended
    size_t count = 0;
    std::vector<Each> each;  // the first `count` of them
    [[gnu::always_inline]] void add(std::span<const uint32_t> registers, CoreCycle until, CoreCycle now) {
      if (end <= now) {
        marks = 0;
        count = 0;
      }
      if (count + registers.size() > each.size()) [[unlikely]]
        make_room(registers.size(), now);
      for (const uint32_t at : registers) {
        each[count++] = {at, until};
        marks |= RegisterUses::mark_of(at);
      }
      end = std::max(end, until);
    }
    void make_room(size_t more, CoreCycle now);
    std::span<const Each> all() const { return {each.data(), count}; }
  };
  struct Row {
    uint64_t marks = 0;  // of the registers that are waited for, but for those that are known
    Known known;
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
  uint64_t marks_of(unsigned row, CoreCycle now) const {
    if (row >= by_row_.size()) return 0;
    const Row& own = by_row_[row];
    return own.known.end > now ? own.marks | own.known.marks : own.marks;
  }
  [[gnu::always_inline]] Row& row_at(uint16_t row) {
    if (by_row_.size() <= row) [[unlikely]]
      by_row_.resize(row + 1U);
    return by_row_[row];
  }
  bool all_free(Pc pc, const Group& group, CoreCycle now) const;
  bool row_free(Pc pc, uint16_t row, LaneMask lanes, CoreCycle now) const;
  [[gnu::always_inline]] void take_row_until(CoreCycle end, Pc pc, uint16_t row, CoreCycle now) {
    row_at(row).known.add(uses_.written[pc], end, now);
  }
  void take_rows_until(CoreCycle end, Pc pc, const Group& group, CoreCycle now);
  [[gnu::always_inline]] void take_row(FlightId flight, Pc pc, uint16_t row, LaneMask lanes) {
    Row& own = row_at(row);
    for (const uint32_t written : uses_.written[pc]) own.add({written, lanes, flight});
    rows_[flight].push_back(row);
  }
  void take_rows(FlightId flight, Pc pc, const Group& group);
  template <class F>
  void for_each_row(const Group& group, F&& f) const;
  template <class F>
  void for_each_wait(Pc pc, const Group& group, F&& f) const;  // f(flight) of what the group waits for,
  template <class F>
  void for_each_known(Pc pc, const Group& group, F&& f) const;  // f(end) of what it waits or has waited for

  const RegisterUses& uses_;
  const bool lanes_;  // precise to the lane
  std::vector<Row> by_row_;
  std::vector<std::vector<uint16_t>> rows_;  // by flight
};

}  // namespace heddle
