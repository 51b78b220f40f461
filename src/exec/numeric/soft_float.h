#pragma once

// Arithmetic in any rounding mode on any of the four formats, in integers: the cold forms. The hot
// round-to-nearest forms are in float32.h, float64.h and half.h and give the same bits.

#include "exec/numeric/format.h"
#include "exec/numeric/rounding.h"

namespace heddle::numeric {

// The NaN of an operation. f64 hands on the first operand that is a NaN, made quiet, in an order that
// is the operation's own; the other formats always give the canonical NaN.
template <class F>
constexpr F nan_result(F first, F second, F third) {
  (void)first, (void)second, (void)third;
  return from_bits<F>(nan_bits<F>);
}
constexpr double nan_result(double first, double second, double third) {
  const double made = from_bits<double>(nan_bits<double>);
  const double last = is_nan(third) ? quiet_nan(third) : made;
  const double rest = is_nan(second) ? quiet_nan(second) : last;
  return is_nan(first) ? quiet_nan(first) : rest;
}

// With ftz, subnormal operands count as zero and subnormal results become zero. Instantiated for F16,
// Bf16, float and double.
template <class F>
F soft_add(F a, F b, Rounding rounding, bool ftz = false);
template <class F>
F soft_multiply(F a, F b, Rounding rounding, bool ftz = false);
template <class F>
F soft_fma(F a, F b, F c, Rounding rounding, bool ftz = false);
template <class F>
F soft_divide(F a, F b, Rounding rounding, bool ftz = false);
template <class F>
F soft_sqrt(F a, Rounding rounding, bool ftz = false);

// -x, also of a NaN.
template <class F>
constexpr F flip_sign(F x) {
  return from_bits<F>(static_cast<BitsOf<F>>(to_bits(x) ^ sign_mask<F>));
}

}  // namespace heddle::numeric
