#pragma once

// cvt with an integer on at least one side. T and U are the PTX types (int8_t for .s8 and so on); a
// result narrower than its register is extended by the caller as the type says.

#include <limits>
#include <type_traits>

#include "exec/numeric/exact.h"
#include "exec/numeric/half.h"

namespace heddle::numeric {

template <class To, class From>
constexpr To integer_to_integer(From x) {
  return static_cast<To>(x);
}

// .sat clamps to the destination's range.
template <class To, class From>
constexpr To integer_to_integer_sat(From x) {
  using Limits = std::numeric_limits<To>;
  // Every 64-bit type fits, and comparisons across signedness are as in mathematics.
  const auto value = static_cast<SignedWide>(x);
  if (value < static_cast<SignedWide>(Limits::min())) return Limits::min();
  if (value > static_cast<SignedWide>(Limits::max())) return Limits::max();
  return static_cast<To>(x);
}

// The integral value next to x, as a float of the same type; the sign of a zero is x's.
inline float round_integral(float x, Rounding rounding) {
  switch (rounding) {
    case Rounding::Rn: {
      // Adding 2^23 leaves no fraction bits.
      const float magnitude = from_bits<float>(magnitude_bits(x));
      const float rounded = (magnitude + 0x1p23f) - 0x1p23f;
      const float chosen = magnitude < 0x1p23f ? rounded : magnitude;
      return from_bits<float>(to_bits(chosen) | (to_bits(x) & sign_mask<float>));
    }
    case Rounding::Rz: return __builtin_truncf(x);
    case Rounding::Rm: return __builtin_floorf(x);
    case Rounding::Rp: return __builtin_ceilf(x);
  }
  return x;
}
inline double round_integral(double x, Rounding rounding) {
  switch (rounding) {
    case Rounding::Rn: {
      const double magnitude = from_bits<double>(magnitude_bits(x));
      const double rounded = (magnitude + 0x1p52) - 0x1p52;
      const double chosen = magnitude < 0x1p52 ? rounded : magnitude;
      return from_bits<double>(to_bits(chosen) | (to_bits(x) & sign_mask<double>));
    }
    case Rounding::Rz: return __builtin_trunc(x);
    case Rounding::Rm: return __builtin_floor(x);
    case Rounding::Rp: return __builtin_ceil(x);
  }
  return x;
}

// A NaN becomes zero, but where the conversion is done by the 64-bit unit (an f64 source or a 64-bit
// result) it becomes the destination's highest bit.
template <class To, class From>
inline constexpr To integer_of_nan = sizeof(To) == 8 || sizeof(From) == 8
                                         ? static_cast<To>(std::make_unsigned_t<To>{1} << (sizeof(To) * 8 - 1))
                                         : To{0};

// x is integral. The result is clamped to the range of To, .sat or not.
template <class To, class From>
constexpr To integral_to_integer(From x) {
  using Limits = std::numeric_limits<To>;
  // Both are powers of two or zero, hence exact.
  constexpr From low = static_cast<From>(Limits::min());
  constexpr From beyond = static_cast<From>(Limits::max() / 2 + 1) * 2;
  const bool fits = x >= low && x < beyond;
  const To inside = static_cast<To>(fits ? x : From{0});
  const To clamped = x < low ? Limits::min() : x >= beyond ? Limits::max() : inside;
  return is_nan(x) ? integer_of_nan<To, From> : clamped;
}

// The rounding is one of the integer modes .rni .rzi .rmi .rpi. .sat changes nothing. From is float,
// double, F16 or Bf16.
template <class To>
To float_to_integer(float x, Rounding rounding) {
  return integral_to_integer<To>(round_integral(x, rounding));
}
template <class To>
To float_to_integer(double x, Rounding rounding) {
  return integral_to_integer<To>(round_integral(x, rounding));
}
template <class To>
To float_to_integer(F16 x, Rounding rounding) {
  return float_to_integer<To>(widen(x), rounding);
}
template <class To>
To float_to_integer(Bf16 x, Rounding rounding) {
  return float_to_integer<To>(widen(x), rounding);
}
template <class To>
To float_to_integer_ftz(float x, Rounding rounding) {
  return float_to_integer<To>(flush(x), rounding);
}

template <class From>
constexpr Exact unpack_integer(From x) {
  const bool negative = x < 0;
  const auto magnitude = static_cast<uint64_t>(x);
  return {negative, 0, negative ? uint64_t{0} - magnitude : magnitude};
}

// To nearest. For f32 and f64 the host's own conversion is that.
template <class To, class From>
To integer_to_float(From x) {
  if constexpr (std::is_floating_point_v<To>)
    return static_cast<To>(x);
  else
    return round_to<To>(unpack_integer(x), Rounding::Rn);
}
template <class To, class From>
To integer_to_float(From x, Rounding rounding) {
  return round_to<To>(unpack_integer(x), rounding);
}

}  // namespace heddle::numeric
