#pragma once

// f32 arithmetic. The forms without a Rounding argument round to nearest and are branch-free, so that
// a loop over lanes vectorises. .sat is `saturate(...)` around any of them (format.h).

#include <cmath>

#include "exec/numeric/fused.h"
#include "exec/numeric/soft_float.h"

namespace heddle::numeric {

// The least magnitude that rounds to the smallest normal f32 when the exponent has no lower end; see
// rounds_to_normal in exact.h.
inline constexpr double least_unflushed_f32 = 0x1.ffffffp-127;

// Rounds an exact (or rounded-to-odd) value to f32 under .ftz.
inline float narrow_ftz(double x) {
  const auto rounded = static_cast<float>(x);
  const bool tiny = x > -least_unflushed_f32 && x < least_unflushed_f32;
  const auto zero = from_bits<float>(to_bits(rounded) & sign_mask<float>);
  return canonical_nan(tiny ? zero : rounded);
}

inline float add(float a, float b) { return canonical_nan(a + b); }
inline float sub(float a, float b) { return canonical_nan(a - b); }
inline float mul(float a, float b) { return canonical_nan(a * b); }
inline float fma(float a, float b, float c) { return canonical_nan(fused_multiply_add(a, b, c)); }

// A sum of normal numbers that is subnormal is exact, so flushing after rounding is right here.
inline float add_ftz(float a, float b) { return flush(add(flush(a), flush(b))); }
inline float sub_ftz(float a, float b) { return flush(sub(flush(a), flush(b))); }
inline float mul_ftz(float a, float b) { return narrow_ftz(static_cast<double>(flush(a)) * flush(b)); }
inline float fma_ftz(float a, float b, float c) {
  return narrow_ftz(add_to_odd(static_cast<double>(flush(a)) * flush(b), flush(c)));
}

inline float add(float a, float b, Rounding rounding, bool ftz = false) { return soft_add(a, b, rounding, ftz); }
inline float sub(float a, float b, Rounding rounding, bool ftz = false) {
  return soft_add(a, flip_sign(b), rounding, ftz);
}
inline float mul(float a, float b, Rounding rounding, bool ftz = false) { return soft_multiply(a, b, rounding, ftz); }
inline float fma(float a, float b, float c, Rounding rounding, bool ftz = false) {
  return soft_fma(a, b, c, rounding, ftz);
}

inline float div(float a, float b) { return canonical_nan(a / b); }
inline float div(float a, float b, Rounding rounding, bool ftz = false) { return soft_divide(a, b, rounding, ftz); }
inline float rcp(float a) { return canonical_nan(1.0f / a); }
inline float rcp(float a, Rounding rounding, bool ftz = false) { return soft_divide(1.0f, a, rounding, ftz); }
inline float sqrt(float a) { return canonical_nan(__builtin_sqrtf(a)); }
inline float sqrt(float a, Rounding rounding, bool ftz = false) { return soft_sqrt(a, rounding, ftz); }

}  // namespace heddle::numeric
