#pragma once

// Integer division and remainder. PTX leaves division by zero open; the hardware gives all ones for
// both, the dividend for MIN / -1 and zero for its remainder.

#include <type_traits>

#include "exec/numeric/integer.h"

namespace heddle::numeric {

// The one quotient that does not fit. Dividing by 1 instead gives the hardware's answers.
template <class T>
constexpr bool quotient_overflows(T a, T b) {
  if constexpr (std::is_signed_v<T>)
    return a == std::numeric_limits<T>::min() && b == T{-1};
  else
    return (void)a, (void)b, false;
}

template <class T>
constexpr T div(T a, T b) requires std::is_integral_v<T> {
  if (b == 0) return static_cast<T>(-1);
  return quotient_overflows(a, b) ? a : static_cast<T>(a / b);
}

template <class T>
constexpr T rem(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  return quotient_overflows(a, b) ? T{0} : static_cast<T>(a % b);
}

}  // namespace heddle::numeric
