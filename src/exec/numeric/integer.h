#pragma once

// Integer arithmetic on 16, 32 and 64 bits. T is the PTX type: int16_t for .s16 and so on. Everything
// wraps; wrapping is done in unsigned types, where C++ defines it.

#include <cstdint>
#include <limits>
#include <type_traits>

#include "exec/numeric/exact.h"

namespace heddle::numeric {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// The type of .wide results.
template <class T>
struct Widened;
template <>
struct Widened<int8_t> {
  using Type = int16_t;
};
template <>
struct Widened<uint8_t> {
  using Type = uint16_t;
};
template <>
struct Widened<int16_t> {
  using Type = int32_t;
};
template <>
struct Widened<uint16_t> {
  using Type = uint32_t;
};
template <>
struct Widened<int32_t> {
  using Type = int64_t;
};
template <>
struct Widened<uint32_t> {
  using Type = uint64_t;
};
template <>
struct Widened<int64_t> {
  using Type = SignedWide;
};
template <>
struct Widened<uint64_t> {
  using Type = Wide;
};
template <class T>
using WidenedType = typename Widened<T>::Type;

template <class T>
constexpr T add(T a, T b) requires std::is_integral_v<T> {
  return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
}
template <class T>
constexpr T sub(T a, T b) requires std::is_integral_v<T> {
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
}
template <class T>
constexpr T mul_lo(T a, T b) {
  // uint16_t would be promoted to int and overflow it.
  using Product = std::conditional_t<sizeof(T) < 4, uint32_t, Unsigned<T>>;
  return static_cast<T>(static_cast<Product>(a) * static_cast<Product>(b));
}
template <class T>
constexpr WidenedType<T> mul_wide(T a, T b) {
  return static_cast<WidenedType<T>>(static_cast<WidenedType<T>>(a) * b);
}
template <>
constexpr uint32_t mul_wide(uint16_t a, uint16_t b) {
  return uint32_t{a} * b;
}
template <class T>
constexpr T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide(a, b) >> (sizeof(T) * 8));
}
template <class T>
constexpr T mad_lo(T a, T b, T c) {
  return add(mul_lo(a, b), c);
}
template <class T>
constexpr T mad_hi(T a, T b, T c) {
  return add(mul_hi(a, b), c);
}
template <class T>
constexpr WidenedType<T> mad_wide(T a, T b, WidenedType<T> c) {
  return add(mul_wide(a, b), c);
}

// .sat exists for .s32 only.
constexpr int32_t clamp_s32(int64_t x) {
  constexpr int64_t low = std::numeric_limits<int32_t>::min();
  constexpr int64_t high = std::numeric_limits<int32_t>::max();
  return static_cast<int32_t>(x < low ? low : x > high ? high : x);
}
constexpr int32_t add_sat(int32_t a, int32_t b) { return clamp_s32(int64_t{a} + b); }
constexpr int32_t sub_sat(int32_t a, int32_t b) { return clamp_s32(int64_t{a} - b); }
constexpr int32_t mad_hi_sat(int32_t a, int32_t b, int32_t c) { return clamp_s32(int64_t{mul_hi(a, b)} + c); }

// mul24 takes the low 24 bits of its operands, sign-extended for .s32; .hi is bits 47..16.
constexpr int64_t low24(int32_t x) { return static_cast<int32_t>(static_cast<uint32_t>(x) << 8) >> 8; }
constexpr uint64_t low24(uint32_t x) { return x & 0xff'ffff; }
template <class T>
constexpr T mul24_lo(T a, T b) {
  return static_cast<T>(low24(a) * low24(b));
}
template <class T>
constexpr T mul24_hi(T a, T b) {
  return static_cast<T>((low24(a) * low24(b)) >> 16);
}
template <class T>
constexpr T mad24_lo(T a, T b, T c) {
  return add(mul24_lo(a, b), c);
}
template <class T>
constexpr T mad24_hi(T a, T b, T c) {
  return add(mul24_hi(a, b), c);
}
constexpr int32_t mad24_hi_sat(int32_t a, int32_t b, int32_t c) { return clamp_s32(int64_t{mul24_hi(a, b)} + c); }

template <class T>
constexpr T min(T a, T b) requires std::is_integral_v<T> {
  return a < b ? a : b;
}
template <class T>
constexpr T max(T a, T b) requires std::is_integral_v<T> {
  return a > b ? a : b;
}
template <class T>
constexpr T rectify(T x) requires std::is_integral_v<T> {
  return x < 0 ? T{0} : x;
}
template <class T>
constexpr T neg(T a) requires std::is_integral_v<T> {
  return sub(T{0}, a);
}
// abs of the minimum is the minimum.
template <class T>
constexpr T abs(T a) requires std::is_integral_v<T> {
  return a < 0 ? neg(a) : a;
}
template <class T>
constexpr T sad(T a, T b, T c) {
  return add(c, a < b ? sub(b, a) : sub(a, b));
}

}  // namespace heddle::numeric
