#pragma once

// Logic, shifts and bit fields. T is the unsigned type of the operation's width unless said otherwise.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "exec/numeric/integer.h"

namespace heddle::numeric {

template <class T>
inline constexpr int width_of = sizeof(T) * 8;

template <class T>
constexpr T cnot(T a) {
  return a == 0;
}

// Shift amounts are unsigned 32-bit; beyond the width everything is shifted out.
template <class T>
constexpr T shl(T a, uint32_t amount) {
  const auto x = static_cast<Unsigned<T>>(a);
  return static_cast<T>(amount < width_of<T> ? x << (amount & (width_of<T> - 1)) : 0);
}
// Signed T shifts in copies of the sign.
template <class T>
constexpr T shr(T a, uint32_t amount) {
  const uint32_t last = width_of<T> - 1;
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(a >> (amount < last ? amount : last));
  else
    return static_cast<T>(amount <= last ? a >> (amount & last) : 0);
}

// Funnel shift of b:a. The amount is clamped to 32 or taken modulo 32.
constexpr uint32_t funnel_amount(uint32_t amount, bool wrap) { return wrap ? amount & 31 : amount < 32 ? amount : 32; }
constexpr uint64_t funnel(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }
constexpr uint32_t shf_l(uint32_t a, uint32_t b, uint32_t amount, bool wrap) {
  return static_cast<uint32_t>((funnel(a, b) << funnel_amount(amount, wrap)) >> 32);
}
constexpr uint32_t shf_r(uint32_t a, uint32_t b, uint32_t amount, bool wrap) {
  return static_cast<uint32_t>(funnel(a, b) >> funnel_amount(amount, wrap));
}

// Position and length are the low bytes of their operands in the 32-bit forms. The 64-bit forms are
// subroutines on the hardware and take all bits.
template <class T>
constexpr uint32_t field_operand(uint32_t x) {
  return sizeof(T) == 4 ? x & 0xff : x;
}

// The lowest `length` bits set.
template <class T>
constexpr T low_bits(uint32_t length) {
  return static_cast<T>(~shl<T>(static_cast<T>(~T{0}), length));
}

// Bit field extract; signed T extends the field's highest bit, or the operand's when the field reaches
// beyond it.
template <class T>
constexpr T bfe(T a, uint32_t position_operand, uint32_t length_operand) {
  using U = Unsigned<T>;
  const uint32_t position = field_operand<T>(position_operand);
  const uint32_t length = field_operand<T>(length_operand);
  const U mask = low_bits<U>(length);
  const U field = shr(static_cast<U>(a), position) & mask;
  if constexpr (std::is_signed_v<T>) {
    if (length == 0) return 0;
    const uint64_t wanted = uint64_t{position} + length - 1;
    const uint32_t sign_at = static_cast<uint32_t>(wanted < width_of<T> ? wanted : width_of<T> - 1);
    const bool sign = (shr(static_cast<U>(a), sign_at) & 1) != 0;
    // Above the field, and above what is left of the operand, stands the sign.
    const U present = mask & low_bits<U>(position < width_of<T> ? width_of<T> - position : 0);
    return static_cast<T>(sign ? field | static_cast<U>(~present) : field);
  }
  return static_cast<T>(field);
}

// Inserts the low bits of a into b.
template <class T>
constexpr T bfi(T a, T b, uint32_t position_operand, uint32_t length_operand) {
  const uint32_t position = field_operand<T>(position_operand);
  const T mask = shl(low_bits<T>(field_operand<T>(length_operand)), position);
  return static_cast<T>((b & ~mask) | (shl(a, position) & mask));
}

// Position of the highest bit that differs from the sign (signed T) or is set; all ones if none.
// With shift_amount the left shift that would bring it to the top.
template <class T>
constexpr uint32_t bfind(T a, bool shift_amount) {
  const auto significant = static_cast<Unsigned<T>>(a < 0 ? ~a : a);
  if (significant == 0) return ~0u;
  const auto leading = static_cast<uint32_t>(std::countl_zero(significant));
  return shift_amount ? leading : width_of<T> - 1 - leading;
}

template <class T>
constexpr T brev(T a) {
  T result = 0;
  for (int i = 0; i < width_of<T>; ++i) result = static_cast<T>(result << 1 | ((a >> i) & 1));
  return result;
}
template <class T>
constexpr uint32_t clz(T a) {
  return static_cast<uint32_t>(std::countl_zero(a));
}
template <class T>
constexpr uint32_t popc(T a) {
  return static_cast<uint32_t>(std::popcount(a));
}

// Position of the n-th set bit of mask from base on: upwards for n > 0, downwards for n < 0, the base
// itself for n = 0; all ones if there is none.
constexpr uint32_t fns(uint32_t mask, uint32_t base, int32_t n) {
  const int step = n < 0 ? -1 : 1;
  int64_t left = n < 0 ? -int64_t{n} : n;
  if (n == 0) return base < 32 && (mask >> base & 1) != 0 ? base : ~0u;
  for (int64_t at = base; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<uint32_t>(at);
  return ~0u;
}

// Bit i of the result is bit (a_i b_i c_i) of the table.
constexpr uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < 8; ++i) {
    const uint32_t term = ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
    result |= (table >> i & 1) != 0 ? term : 0;
  }
  return result;
}

// A mask of `length` bits from `position` on. Clamped, operands of 32 and more mean "beyond the end";
// wrapped, they count modulo 32.
constexpr uint32_t bmsk(uint32_t position, uint32_t length, bool wrap) {
  if (wrap) return shl(low_bits<uint32_t>(length & 31), position & 31);
  return shl(low_bits<uint32_t>(length), position);
}

// Extends the low `length` bits of a; signed T with the sign.
template <class T>
constexpr T szext(T a, uint32_t length_operand, bool wrap) {
  const uint32_t length = wrap ? length_operand & 31 : length_operand;
  return bfe<T>(a, 0, length < 32 ? length : 32);
}

}  // namespace heddle::numeric
