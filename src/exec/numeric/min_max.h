#pragma once

// min and max for every float format. -0 is less than +0. A NaN operand is ignored, unless .NaN;
// two NaNs give the canonical one (f64: the second operand, made quiet).

#include <type_traits>

#include "exec/numeric/format.h"

namespace heddle::numeric {

// Signed integers in the order of the floats.
template <class F>
constexpr auto order_key(F x) {
  using Key = std::make_signed_t<BitsOf<F>>;
  const auto bits = static_cast<Key>(to_bits(x));
  return static_cast<Key>(bits < 0 ? bits ^ static_cast<Key>(~sign_mask<F>) : bits);
}

template <class F>
constexpr F settle_order_nan(F chosen, F a, F b) {
  const F other = is_nan(a) ? b : a;
  return canonical_nan(is_nan(a) || is_nan(b) ? other : chosen);
}
constexpr double settle_order_nan(double chosen, double a, double b) {
  const double other = is_nan(a) ? (is_nan(b) ? quiet_nan(b) : b) : a;
  return is_nan(a) || is_nan(b) ? other : chosen;
}

template <class F>
constexpr F min(F a, F b) {
  return settle_order_nan(order_key(a) < order_key(b) ? a : b, a, b);
}
template <class F>
constexpr F max(F a, F b) {
  return settle_order_nan(order_key(a) > order_key(b) ? a : b, a, b);
}

template <class F>
constexpr F min_nan(F a, F b) {
  return is_nan(a) || is_nan(b) ? from_bits<F>(nan_bits<F>) : min(a, b);
}
template <class F>
constexpr F max_nan(F a, F b) {
  return is_nan(a) || is_nan(b) ? from_bits<F>(nan_bits<F>) : max(a, b);
}

// All modifiers at once, for the cold forms.
struct OrderModifiers {
  bool ftz = false;
  bool nan = false;          // .NaN: a NaN operand makes the result NaN
  bool xorsign_abs = false;  // order of magnitudes, sign a xor b, also of a NaN
  bool abs = false;          // order of magnitudes; three-operand forms
};

template <class F>
constexpr F order(bool want_max, F a, F b, OrderModifiers modifiers) {
  a = flush_if(modifiers.ftz, a);
  b = flush_if(modifiers.ftz, b);
  const auto sign = static_cast<BitsOf<F>>((to_bits(a) ^ to_bits(b)) & sign_mask<F>);
  if (modifiers.xorsign_abs || modifiers.abs) {
    a = from_bits<F>(magnitude_bits(a));
    b = from_bits<F>(magnitude_bits(b));
  }
  F result = want_max ? max(a, b) : min(a, b);
  if (modifiers.nan) result = want_max ? max_nan(a, b) : min_nan(a, b);
  if (is_nan(result) || !modifiers.xorsign_abs) return result;
  return from_bits<F>(static_cast<BitsOf<F>>(to_bits(result) | sign));
}

// Three operands (.f32 only in PTX): the two-operand form applied twice, as the manual defines it.
template <class F>
constexpr F order(bool want_max, F a, F b, F c, OrderModifiers modifiers) {
  return order(want_max, order(want_max, a, b, modifiers), c, modifiers);
}

}  // namespace heddle::numeric
