#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace heddle::numeric {

// Half and bfloat16 are carried as bits: the host need not know the types.
struct F16 {
  uint16_t bits;
};
struct Bf16 {
  uint16_t bits;
};

template <class F>
struct Format;

template <>
struct Format<F16> {
  using Bits = uint16_t;
  static constexpr int exponent_bits = 5, fraction_bits = 10;
};
template <>
struct Format<Bf16> {
  using Bits = uint16_t;
  static constexpr int exponent_bits = 8, fraction_bits = 7;
};
template <>
struct Format<float> {
  using Bits = uint32_t;
  static constexpr int exponent_bits = 8, fraction_bits = 23;
};
template <>
struct Format<double> {
  using Bits = uint64_t;
  static constexpr int exponent_bits = 11, fraction_bits = 52;
};

template <class F>
using BitsOf = typename Format<F>::Bits;

constexpr uint16_t to_bits(F16 x) { return x.bits; }
constexpr uint16_t to_bits(Bf16 x) { return x.bits; }
constexpr uint32_t to_bits(float x) { return std::bit_cast<uint32_t>(x); }
constexpr uint64_t to_bits(double x) { return std::bit_cast<uint64_t>(x); }

template <class F>
constexpr F from_bits(BitsOf<F> bits) {
  return std::bit_cast<F>(bits);
}

template <class F>
inline constexpr BitsOf<F> sign_mask = static_cast<BitsOf<F>>(BitsOf<F>{1} << (sizeof(F) * 8 - 1));
template <class F>
inline constexpr BitsOf<F> fraction_mask = static_cast<BitsOf<F>>((BitsOf<F>{1} << Format<F>::fraction_bits) - 1);
// Exponent field all ones, fraction zero: the bits of +infinity.
template <class F>
inline constexpr BitsOf<F> infinity_bits = static_cast<BitsOf<F>>(((BitsOf<F>{1} << Format<F>::exponent_bits) - 1)
                                                                  << Format<F>::fraction_bits);
template <class F>
inline constexpr BitsOf<F> quiet_bit = static_cast<BitsOf<F>>(BitsOf<F>{1} << (Format<F>::fraction_bits - 1));
template <class F>
inline constexpr BitsOf<F> one_bits = static_cast<BitsOf<F>>(((BitsOf<F>{1} << (Format<F>::exponent_bits - 1)) - 1)
                                                             << Format<F>::fraction_bits);

// The NaN the hardware makes. f16, bf16 and f32 results that are NaN are always this one; f64
// operations make this one only when no operand was a NaN.
template <class F>
inline constexpr BitsOf<F> nan_bits = static_cast<BitsOf<F>>(~sign_mask<F>);
template <>
inline constexpr uint64_t nan_bits<double> = 0xfff8'0000'0000'0000;

template <class F>
constexpr BitsOf<F> magnitude_bits(F x) {
  return static_cast<BitsOf<F>>(to_bits(x) & ~sign_mask<F>);
}
template <class F>
constexpr bool is_nan(F x) {
  return magnitude_bits(x) > infinity_bits<F>;
}
template <class F>
constexpr bool is_infinite(F x) {
  return magnitude_bits(x) == infinity_bits<F>;
}
template <class F>
constexpr bool is_zero(F x) {
  return magnitude_bits(x) == 0;
}
template <class F>
constexpr bool is_negative(F x) {
  return (to_bits(x) & sign_mask<F>) != 0;
}
template <class F>
constexpr bool is_subnormal(F x) {
  return (to_bits(x) & infinity_bits<F>) == 0 && !is_zero(x);
}

// .ftz: a subnormal becomes a zero of the same sign.
template <class F>
constexpr F flush(F x) {
  const auto bits = to_bits(x);
  return from_bits<F>((bits & infinity_bits<F>) != 0 ? bits : static_cast<BitsOf<F>>(bits & sign_mask<F>));
}

template <class F>
constexpr F flush_if(bool ftz, F x) {
  return ftz ? flush(x) : x;
}

template <class F>
constexpr F canonical_nan(F x) {
  // Rows of these are compared with themselves, once.
  if constexpr (std::is_floating_point_v<F>) return __builtin_isnan(x) ? from_bits<F>(nan_bits<F>) : x;
  return is_nan(x) ? from_bits<F>(nan_bits<F>) : x;
}

template <class F>
constexpr F quiet_nan(F x) {
  return from_bits<F>(static_cast<BitsOf<F>>(to_bits(x) | quiet_bit<F>));
}

// .sat: clamps to [+0, 1]; NaN and -0 become +0. In bits: everything with the sign set is below,
// and the order of positive floats is the order of their bits, NaNs above infinity.
template <class F>
constexpr F saturate(F x) {
  const auto bits = to_bits(x);
  const bool below = (bits & sign_mask<F>) != 0 || bits > infinity_bits<F>;
  const auto clamped = bits < one_bits<F> ? bits : one_bits<F>;
  return from_bits<F>(below ? BitsOf<F>{0} : clamped);
}

// .relu: negative values become +0, NaN the canonical NaN.
template <class F>
constexpr F rectify(F x) {
  if (is_nan(x)) return from_bits<F>(nan_bits<F>);
  return is_negative(x) ? from_bits<F>(0) : x;
}

}  // namespace heddle::numeric
