#pragma once

// Extended-precision arithmetic through the condition code. The flag is the hardware's: the carry out
// of a + b, and the carry out of a + ~b + 1 for subtractions (set when nothing was borrowed).

#include "exec/numeric/integer.h"

namespace heddle::numeric {

template <class T>
struct Carried {
  T value;
  bool carry;
};

template <class T>
constexpr Carried<T> addc_cc(T a, T b, bool carry) {
  const auto x = static_cast<Unsigned<T>>(a), y = static_cast<Unsigned<T>>(b);
  const auto partial = static_cast<Unsigned<T>>(x + y);
  const auto total = static_cast<Unsigned<T>>(partial + carry);
  return {static_cast<T>(total), partial < x || total < partial};
}
template <class T>
constexpr Carried<T> add_cc(T a, T b) {
  return addc_cc(a, b, false);
}
template <class T>
constexpr Carried<T> subc_cc(T a, T b, bool carry) {
  return addc_cc(a, static_cast<T>(~b), carry);
}
template <class T>
constexpr Carried<T> sub_cc(T a, T b) {
  return subc_cc(a, b, true);
}
template <class T>
constexpr Carried<T> mad_lo_cc(T a, T b, T c) {
  return add_cc(mul_lo(a, b), c);
}
template <class T>
constexpr Carried<T> mad_hi_cc(T a, T b, T c) {
  return add_cc(mul_hi(a, b), c);
}
template <class T>
constexpr Carried<T> madc_lo_cc(T a, T b, T c, bool carry) {
  return addc_cc(mul_lo(a, b), c, carry);
}
template <class T>
constexpr Carried<T> madc_hi_cc(T a, T b, T c, bool carry) {
  return addc_cc(mul_hi(a, b), c, carry);
}

}  // namespace heddle::numeric
