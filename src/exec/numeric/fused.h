#pragma once

#include <cmath>

#include "exec/numeric/format.h"

namespace heddle::numeric {

// a + b rounded to odd: truncated, with the last bit set when anything was cut off. A second rounding,
// to a format at least two bits shorter, then gives what one rounding of the exact sum would.
// Infinities and NaNs come out as from a + b.
inline double add_to_odd(double a, double b) {
  const double rounded = a + b;
  // Knuth's two-sum: rounded + error is exactly a + b.
  const double b_part = rounded - a;
  const double error = (a - (rounded - b_part)) + (b - b_part);
  const uint64_t bits = to_bits(rounded);
  const bool inexact = error > 0 || error < 0;
  const bool towards_zero = (error > 0) == ((bits >> 63) != 0);
  const uint64_t nudged = towards_zero ? bits - 1 : bits + 1;
  return from_bits<double>(inexact && (bits & 1) == 0 ? nudged : bits);
}

// Single rounding of a * b + c for f32. Where the host has no fused multiply-add instruction, a call
// into libm would cost far more than the detour through double.
inline float fused_multiply_add(float a, float b, float c) {
#if defined(__FMA__) || defined(__aarch64__)
  return __builtin_fmaf(a, b, c);
#else
  return static_cast<float>(add_to_odd(static_cast<double>(a) * b, c));
#endif
}

}  // namespace heddle::numeric
