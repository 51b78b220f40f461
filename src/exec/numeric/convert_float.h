#pragma once

// cvt between float types, and the integer-rounding forms within one type. .sat is saturate(...) and
// .relu is rectify(...) around the result (format.h).

#include <type_traits>

#include "exec/numeric/convert_integer.h"
#include "exec/numeric/exact.h"
#include "exec/numeric/half.h"

namespace heddle::numeric {

// Only the 64-bit unit hands the NaN on: sign kept, payload aligned at the top, quiet.
template <class To, class From>
constexpr To converted_nan(From x) {
  if constexpr (std::is_same_v<From, double> || std::is_same_v<To, double>) {
    constexpr int shift = Format<From>::fraction_bits - Format<To>::fraction_bits;
    const uint64_t payload = to_bits(x) & fraction_mask<From>;
    const uint64_t moved = shift > 0 ? payload >> (shift > 0 ? shift : 0) : payload << (shift < 0 ? -shift : 0);
    const uint64_t sign = is_negative(x) ? uint64_t{sign_mask<To>} : 0;
    return from_bits<To>(static_cast<BitsOf<To>>(sign | infinity_bits<To> | quiet_bit<To> | moved));
  } else {
    return from_bits<To>(nan_bits<To>);
  }
}

// Hot conversions, round to nearest where they round at all.
inline float to_f32(F16 x) { return canonical_nan(widen(x)); }
inline float to_f32(Bf16 x) { return widen(x); }  // a plain shift: the NaN passes
inline float to_f32(double x) { return is_nan(x) ? converted_nan<float>(x) : static_cast<float>(x); }
inline double to_f64(float x) { return is_nan(x) ? converted_nan<double>(x) : static_cast<double>(x); }
inline double to_f64(F16 x) { return is_nan(x) ? converted_nan<double>(x) : static_cast<double>(widen(x)); }
inline double to_f64(Bf16 x) { return to_f64(widen(x)); }
inline F16 to_f16(float x) { return narrow<F16>(x); }
inline Bf16 to_bf16(float x) { return narrow<Bf16>(x); }

// Any conversion between two formats in any rounding mode (exact ones ignore it). What .ftz means
// depends on the pair: it flushes an f32 operand, except on the way to f16, and an f32 result (here
// after rounding).
template <class To, class From>
To convert(From x, Rounding rounding, bool ftz = false) {
  constexpr bool from_f32 = std::is_same_v<From, float>, to_f32 = std::is_same_v<To, float>;
  if (from_f32 && ftz) {
    x = canonical_nan(x);
    if constexpr (!std::is_same_v<To, F16>) x = flush(x);
  }
  if constexpr (std::is_same_v<From, Bf16> && to_f32) return ftz ? canonical_nan(flush(widen(x))) : widen(x);
  if (is_nan(x)) return converted_nan<To>(x);
  if (is_infinite(x))
    return from_bits<To>(static_cast<BitsOf<To>>(infinity_bits<To> | (is_negative(x) ? sign_mask<To> : 0)));
  return flush_if(to_f32 && ftz, round_to<To>(unpack(x), rounding));
}

// Within one format, without rounding: a plain move for f32 and f64, with the canonical NaN for the
// short formats and under .ftz.
inline float convert_same(float x, bool ftz) { return ftz ? canonical_nan(flush(x)) : x; }
inline double convert_same(double x, bool) { return x; }
inline F16 convert_same(F16 x, bool) { return canonical_nan(x); }
inline Bf16 convert_same(Bf16 x, bool) { return canonical_nan(x); }

// cvt.r{n,z,m,p}i within one type: the integral value next to x.
inline float to_integral(float x, Rounding rounding) { return canonical_nan(round_integral(x, rounding)); }
inline double to_integral(double x, Rounding rounding) {
  return is_nan(x) ? quiet_nan(x) : round_integral(x, rounding);
}
inline F16 to_integral(F16 x, Rounding rounding) { return narrow<F16>(round_integral(widen(x), rounding)); }
inline Bf16 to_integral(Bf16 x, Rounding rounding) { return narrow<Bf16>(round_integral(widen(x), rounding)); }

}  // namespace heddle::numeric
