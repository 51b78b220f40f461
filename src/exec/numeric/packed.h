#pragma once

// Two 16-bit values in a .b32 register: s16x2, u16x2, f16x2, bf16x2. The lower half comes first.

#include <bit>
#include <cstdint>

#include "exec/numeric/format.h"

namespace heddle::numeric {

// T is int16_t, uint16_t, F16 or Bf16.
template <class T>
constexpr T low_half(uint32_t x) {
  return std::bit_cast<T>(static_cast<uint16_t>(x));
}
template <class T>
constexpr T high_half(uint32_t x) {
  return std::bit_cast<T>(static_cast<uint16_t>(x >> 16));
}
template <class T>
constexpr uint32_t pack(T low, T high) {
  return std::bit_cast<uint16_t>(low) | static_cast<uint32_t>(std::bit_cast<uint16_t>(high)) << 16;
}

// Applies a scalar operation to both halves: packed<F16>([](auto a, auto b) {...}, x, y).
template <class T, class Operation, class... Operands>
constexpr uint32_t packed(Operation operation, Operands... operands) {
  return pack(operation(low_half<T>(operands)...), operation(high_half<T>(operands)...));
}

}  // namespace heddle::numeric
