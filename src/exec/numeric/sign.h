#pragma once

// abs, neg, copysign and testp for every float format.

#include "exec/numeric/format.h"

namespace heddle::numeric {

// On the hardware abs and neg are additions of zero: a NaN becomes the canonical one, and an f64 NaN
// keeps its sign and payload and becomes quiet.
template <class F>
constexpr F settle_unary_nan(F x, F result) {
  return is_nan(x) ? from_bits<F>(nan_bits<F>) : result;
}
constexpr double settle_unary_nan(double x, double result) { return is_nan(x) ? quiet_nan(x) : result; }

template <class F>
constexpr F abs(F x) {
  return settle_unary_nan(x, from_bits<F>(magnitude_bits(x)));
}
template <class F>
constexpr F neg(F x) {
  return settle_unary_nan(x, from_bits<F>(static_cast<BitsOf<F>>(to_bits(x) ^ sign_mask<F>)));
}
template <class F>
constexpr F abs_ftz(F x) {
  return abs(flush(x));
}
template <class F>
constexpr F neg_ftz(F x) {
  return neg(flush(x));
}

// The magnitude of `magnitude` with the sign of `sign`, on bits: NaNs pass. PTX writes the operand
// that gives the sign first: copysign d, a, b is copy_sign(a, b).
template <class F>
constexpr F copy_sign(F sign, F magnitude) {
  return from_bits<F>(static_cast<BitsOf<F>>(magnitude_bits(magnitude) | (to_bits(sign) & sign_mask<F>)));
}

enum class FloatClass : uint8_t { Finite, Infinite, Number, NotANumber, Normal, Subnormal };

template <class F>
constexpr bool test_property(FloatClass property, F x) {
  switch (property) {
    case FloatClass::Finite: return magnitude_bits(x) < infinity_bits<F>;
    case FloatClass::Infinite: return is_infinite(x);
    case FloatClass::Number: return !is_nan(x);
    case FloatClass::NotANumber: return is_nan(x);
    // The hardware counts zero as normal.
    case FloatClass::Normal: return magnitude_bits(x) < infinity_bits<F> && !is_subnormal(x);
    case FloatClass::Subnormal: return is_subnormal(x);
  }
  return false;
}

}  // namespace heddle::numeric
