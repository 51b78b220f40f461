#pragma once

// f64 arithmetic. A NaN operand is handed on, made quiet, with its sign and payload; a NaN without a
// NaN operand is 0xfff8000000000000. Hosts disagree on all of that, so it is selected explicitly.

#include <cmath>

#include "exec/numeric/soft_float.h"

namespace heddle::numeric {

// The operand the hardware looks at first is the second one; in a fused multiply-add b, c, a.
inline double settle_nan(double result, double a, double b) { return is_nan(result) ? nan_result(b, a, a) : result; }

inline double add(double a, double b) { return settle_nan(a + b, a, b); }
inline double sub(double a, double b) { return settle_nan(a - b, a, b); }
inline double mul(double a, double b) { return settle_nan(a * b, a, b); }
inline double fma(double a, double b, double c) {
  const double result = __builtin_fma(a, b, c);
  return is_nan(result) ? nan_result(b, c, a) : result;
}

inline double add(double a, double b, Rounding rounding) { return soft_add(a, b, rounding); }
inline double sub(double a, double b, Rounding rounding) {
  // A NaN keeps its sign.
  return soft_add(a, is_nan(b) ? b : flip_sign(b), rounding);
}
inline double mul(double a, double b, Rounding rounding) { return soft_multiply(a, b, rounding); }
inline double fma(double a, double b, double c, Rounding rounding) { return soft_fma(a, b, c, rounding); }

// Division is a subroutine on the hardware, and prefers the first operand's NaN.
inline double div(double a, double b) {
  const double result = a / b;
  return is_nan(result) ? nan_result(a, b, b) : result;
}
inline double div(double a, double b, Rounding rounding) { return soft_divide(a, b, rounding); }
inline double rcp(double a) { return div(1.0, a); }
inline double rcp(double a, Rounding rounding) { return soft_divide(1.0, a, rounding); }
inline double sqrt(double a) {
  const double result = __builtin_sqrt(a);
  return is_nan(result) ? nan_result(a, a, a) : result;
}
inline double sqrt(double a, Rounding rounding) { return soft_sqrt(a, rounding); }

}  // namespace heddle::numeric
