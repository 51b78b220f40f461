#include "exec/lanes.h"

#include <cstring>

namespace heddle {
namespace {

using Eight [[gnu::vector_size(16)]] = uint16_t;

constexpr Eight kPlaces{0, 1, 2, 3, 4, 5, 6, 7};
constexpr Eight kBits{1, 2, 4, 8, 16, 32, 64, 128};

uint32_t any_bits(const Eight& lanes) {
  uint64_t words[2];
  std::memcpy(words, &lanes, sizeof words);
  const uint64_t bits = words[0] | words[1], half = bits | bits >> 32;
  return static_cast<uint16_t>(half | half >> 16);
}

// Those who are at their place in the row of which this is the first thread.
LaneMask at_home(const Hw* threads, Hw first) {
  static_assert(sizeof(Hw) == sizeof(uint16_t));
  Eight found[4];
  for (unsigned k = 0; k < 4; ++k) {
    Eight lanes;
    std::memcpy(&lanes, threads + k * 8, sizeof lanes);
    found[k] = static_cast<Eight>(lanes == kPlaces + static_cast<uint16_t>(first + k * 8));
  }
  const Eight low = (found[0] & kBits) | (found[1] & (kBits << 8));
  const Eight high = (found[2] & kBits) | (found[3] & (kBits << 8));
  return LaneMask(any_bits(low) | any_bits(high) << 16);
}

}  // namespace

bool ListRows::find(const Hw* threads, LaneMask mask) {
  count_ = 0;
  for (LaneMask left = mask; !left.empty(); left = left.without(part_[count_++].mask)) {
    const unsigned place = left.lowest();
    if (count_ == kMost || threads[place] % kRow != place) return false;
    const auto first = static_cast<Hw>(threads[place] - place);
    part_[count_] = {first, at_home(threads, first) & mask};
  }
  return true;
}

}  // namespace heddle
