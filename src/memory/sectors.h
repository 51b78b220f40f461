// Sectors: the parts of a line that are asked for, kept and written by themselves. A cache without sectors has one, its
// whole line.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace heddle {

using Sectors = uint8_t;  // of a line, a bit each
inline constexpr unsigned kSectorBytes = 32;
inline constexpr unsigned kMostSectors = 8;

using ByteMask = std::array<uint64_t, 2>;  // of a line of up to 128 bytes

inline Sectors first_sectors(unsigned count) { return static_cast<Sectors>((1u << count) - 1); }
inline unsigned count_of(Sectors sectors) { return static_cast<unsigned>(std::popcount(sectors)); }

inline ByteMask first_bytes(unsigned count) {
  const auto bits = [](unsigned n) { return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; };
  return {bits(count), count > 64 ? bits(count - 64) : 0};
}

// Where some byte is, and where all are.
inline Sectors sectors_of(const ByteMask& bytes) {
  unsigned sectors = 0;
  for (unsigned i = 0; i < 4; ++i) sectors |= (static_cast<uint32_t>(bytes[i / 2] >> i % 2 * 32) != 0 ? 1u : 0u) << i;
  return static_cast<Sectors>(sectors);
}
inline Sectors whole_sectors_of(const ByteMask& bytes) {
  const Sectors not_whole = sectors_of({~bytes[0], ~bytes[1]});
  return static_cast<Sectors>(first_sectors(4) & ~not_whole);
}

}  // namespace heddle
