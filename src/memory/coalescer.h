// Which lines the threads of one instruction touch: accesses to the same line are one.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/lane_mask.h"
#include "base/types.h"
#include "memory/sectors.h"

namespace heddle {

struct LineAccess {
  Address address = 0;      // of the line's first byte
  ByteMask bytes{};         // which of its bytes
  LaneMask who{};           // whose they are
  uint16_t lanes = 0;       // accesses that were joined
  uint16_t operations = 0;  // of an atomic

  unsigned byte_count() const;
  Sectors sectors() const { return sectors_of(bytes); }
};

// Collects the lines of one instruction, in the order of the first lane that touches each.
class Coalescer {
 public:
  explicit Coalescer(unsigned line_bytes)
      : line_bytes_(line_bytes),
        line_shift_(static_cast<unsigned>(std::countr_zero(line_bytes))),
        whole_(first_bytes(line_bytes)) {}
  void clear() {
    lines_.clear();
    lines_.reserve(kRow);
    close();
  }
  void close() {  // lines so far are joined by no more accesses
    closed_ = lines_.size();
    places_.fill(0);
  }
  void add(Address address, unsigned bytes, unsigned lane = 0) {  // must not cross lines
    const Address line = address & ~(line_bytes_ - 1);
    // Neighbouring lanes mostly touch the same line.
    LineAccess& found = lines_.size() > closed_ && lines_.back().address == line ? lines_.back() : line_at(line);
    const auto offset = static_cast<unsigned>(address - line);
    found.bytes[offset / 64] |= (bytes >= 64 ? ~uint64_t{0} : (uint64_t{1} << bytes) - 1) << offset % 64;
    ++found.lanes;
    found.who.add(lane);
  }
  // The same of one access for each of these lanes.
  void add_lanes(const std::array<Address, kRow>& addresses, LaneMask mask, unsigned bytes);
  // The same of so many neighbouring lanes, all on one place (a step of 0), or each behind the one before (`bytes`).
  // `fresh`: none of their lines is there.
  void add_run(Address first, unsigned step, unsigned bytes, unsigned first_lane, unsigned count, bool fresh = false);
  // The same of a row whose lanes are each behind the one before, where so many of them at a time fill a line.
  bool fills_lines(Address first, unsigned bytes, unsigned lanes) const {
    return uint64_t{bytes} * lanes == line_bytes_ && (first & (line_bytes_ - 1)) == 0;
  }
  void add_whole_lines(Address first, unsigned lanes) {
    const LaneMask together = LaneMask::first(lanes);
    for (unsigned lane = 0; lane < kRow; lane += lanes, first += line_bytes_)
      lines_.push_back({first, whole_, LaneMask(together.bits() << lane), static_cast<uint16_t>(lanes)});
  }
  std::vector<LineAccess>& lines() { return lines_; }

 private:
  LineAccess& line_at(Address line);

  const uint64_t line_bytes_;  // a power of two
  const unsigned line_shift_;
  const ByteMask whole_;
  std::vector<LineAccess> lines_;
  size_t closed_ = 0;                 // the first so many
  std::array<uint8_t, 64> places_{};  // by hash of the line: 1 + its index; 0: none
};

// Passes over the banks of shared memory: `banks` lanes (a power of two) are served together; words of one bank go one
// after another, unless they are the same word, which all read at once. Atomics to the same word go one after another
// too.
unsigned bank_passes(const std::array<Address, 32>& addresses, LaneMask mask, unsigned bytes, unsigned banks,
                     bool atomic);

// Of a row whose eights of lanes begin at `parts` and go on by `step` bytes: does each bank have one word at most for
// the lanes that are served together? Then each group of these takes one pass. False: perhaps.
bool no_conflicts(const std::array<Address, 4>& parts, unsigned step, unsigned bytes, unsigned banks);
// Groups of so many lanes in which somebody is.
unsigned groups_of_lanes(LaneMask mask, unsigned lanes);

// Passes of an atomic over the sectors of a line: the lanes of one sector go together, those on one address of it one
// after another.
unsigned sector_passes(const std::array<Address, 32>& addresses, LaneMask mask);

// How many different addresses there are.
unsigned distinct(const std::array<Address, 32>& addresses, LaneMask mask);

}  // namespace heddle
