#pragma once

#include <cstdint>

namespace heddle::numeric {

// prmt: each byte of the result is one of the eight bytes of b:a.
enum class PermuteMode : uint8_t {
  Generic,      // four selector nibbles; bit 3 replicates the byte's sign
  Forward4,     // .f4e
  Backward4,    // .b4e
  Replicate8,   // .rc8
  EdgeLeft,     // .ecl
  EdgeRight,    // .ecr
  Replicate16,  // .rc16
};

// Which byte of b:a stands at `index` of the result, for the modes with a two-bit selector.
constexpr uint32_t permuted_byte(PermuteMode mode, uint32_t selector, uint32_t index) {
  switch (mode) {
    case PermuteMode::Generic: break;
    case PermuteMode::Forward4: return selector + index;
    case PermuteMode::Backward4: return (selector - index) & 7;
    case PermuteMode::Replicate8: return selector;
    case PermuteMode::EdgeLeft: return index > selector ? index : selector;
    case PermuteMode::EdgeRight: return index < selector ? index : selector;
    case PermuteMode::Replicate16: return (selector & 1) * 2 + (index & 1);
  }
  return 0;
}

constexpr uint32_t prmt(uint32_t a, uint32_t b, uint32_t selectors, PermuteMode mode = PermuteMode::Generic) {
  const uint64_t bytes = uint64_t{b} << 32 | a;
  uint32_t result = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    const bool generic = mode == PermuteMode::Generic;
    const uint32_t nibble = selectors >> (4 * i) & 15;
    const uint32_t source = generic ? nibble & 7 : permuted_byte(mode, selectors & 3, i);
    uint32_t byte = static_cast<uint32_t>(bytes >> (8 * source)) & 0xff;
    if (generic && (nibble & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

}  // namespace heddle::numeric
