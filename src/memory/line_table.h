// Which entry fetches a line: a table of as many lines as there are MSHRs, for caches that take a way only when the
// line has come.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle {

class LineTable {
 public:
  explicit LineTable(unsigned most) : places_(std::bit_ceil(size_t{most} * 2)), mask_(places_.size() - 1) {}

  std::optional<uint32_t> find(uint64_t line) const {
    for (size_t at = home_of(line); places_[at].taken; at = next(at))
      if (places_[at].line == line) return places_[at].entry;
    return std::nullopt;
  }
  void put(uint64_t line, uint32_t entry) {  // it must not be there
    size_t at = home_of(line);
    while (places_[at].taken) at = next(at);
    places_[at] = {line, entry, true};
  }
  // Those behind it that could not have its place move up.
  void drop(uint64_t line) {  // it must be there
    size_t hole = home_of(line);
    while (places_[hole].line != line || !places_[hole].taken) hole = next(hole);
    for (size_t at = next(hole); places_[at].taken; at = next(at)) {
      const size_t from_home = (at - home_of(places_[at].line)) & mask_;
      if (from_home < ((at - hole) & mask_)) continue;
      places_[hole] = places_[at];
      hole = at;
    }
    places_[hole].taken = false;
  }

 private:
  struct Place {
    uint64_t line = 0;
    uint32_t entry = 0;
    bool taken = false;
  };
  size_t home_of(uint64_t line) const { return (line * 0x9E37'79B9'7F4A'7C15u >> 32) & mask_; }
  size_t next(size_t at) const { return (at + 1) & mask_; }

  std::vector<Place> places_;
  size_t mask_;
};

}  // namespace heddle
