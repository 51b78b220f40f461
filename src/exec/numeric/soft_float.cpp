#include "exec/numeric/soft_float.h"

#include "exec/numeric/exact.h"

namespace heddle::numeric {

namespace {

template <class F>
F signed_infinity(bool negative) {
  return from_bits<F>(static_cast<BitsOf<F>>(infinity_bits<F> | (negative ? sign_mask<F> : 0)));
}

}  // namespace

template <class F>
F soft_add(F a, F b, Rounding rounding, bool ftz) {
  a = flush_if(ftz, a);
  b = flush_if(ftz, b);
  if (is_nan(a) || is_nan(b)) return nan_result(b, a, a);
  if (is_infinite(a) && is_infinite(b) && is_negative(a) != is_negative(b)) return nan_result(a, a, a);
  if (is_infinite(a)) return a;
  if (is_infinite(b)) return b;
  return round_to<F>(sum(unpack(a), unpack(b), rounding), rounding, ftz);
}

template <class F>
F soft_multiply(F a, F b, Rounding rounding, bool ftz) {
  a = flush_if(ftz, a);
  b = flush_if(ftz, b);
  if (is_nan(a) || is_nan(b)) return nan_result(b, a, a);
  if (is_infinite(a) || is_infinite(b)) {
    if (is_zero(a) || is_zero(b)) return nan_result(a, a, a);
    return signed_infinity<F>(is_negative(a) != is_negative(b));
  }
  return round_to<F>(product(unpack(a), unpack(b)), rounding, ftz);
}

template <class F>
F soft_fma(F a, F b, F c, Rounding rounding, bool ftz) {
  a = flush_if(ftz, a);
  b = flush_if(ftz, b);
  c = flush_if(ftz, c);
  if (is_nan(a) || is_nan(b) || is_nan(c)) return nan_result(b, c, a);
  if (is_infinite(a) || is_infinite(b)) {
    const bool negative = is_negative(a) != is_negative(b);
    if (is_zero(a) || is_zero(b)) return nan_result(a, a, a);
    if (is_infinite(c) && is_negative(c) != negative) return nan_result(a, a, a);
    return signed_infinity<F>(negative);
  }
  if (is_infinite(c)) return c;
  return round_to<F>(sum(product(unpack(a), unpack(b)), unpack(c), rounding), rounding, ftz);
}

template <class F>
F soft_divide(F a, F b, Rounding rounding, bool ftz) {
  a = flush_if(ftz, a);
  b = flush_if(ftz, b);
  if (is_nan(a) || is_nan(b)) return nan_result(a, b, b);
  const bool negative = is_negative(a) != is_negative(b);
  if (is_infinite(a)) return is_infinite(b) ? nan_result(a, a, a) : signed_infinity<F>(negative);
  if (is_infinite(b)) return from_bits<F>(negative ? sign_mask<F> : 0);
  if (is_zero(b)) return is_zero(a) ? nan_result(a, a, a) : signed_infinity<F>(negative);
  return round_to<F>(quotient(unpack(a), unpack(b)), rounding, ftz);
}

template <class F>
F soft_sqrt(F a, Rounding rounding, bool ftz) {
  a = flush_if(ftz, a);
  if (is_nan(a)) return nan_result(a, a, a);
  if (is_zero(a)) return a;
  if (is_negative(a)) return from_bits<F>(nan_bits<F>);
  if (is_infinite(a)) return a;
  return round_to<F>(square_root(unpack(a)), rounding, ftz);
}

#define HEDDLE_SOFT_FLOAT(F)                         \
  template F soft_add<F>(F, F, Rounding, bool);      \
  template F soft_multiply<F>(F, F, Rounding, bool); \
  template F soft_fma<F>(F, F, F, Rounding, bool);   \
  template F soft_divide<F>(F, F, Rounding, bool);   \
  template F soft_sqrt<F>(F, Rounding, bool);
HEDDLE_SOFT_FLOAT(F16)
HEDDLE_SOFT_FLOAT(Bf16)
HEDDLE_SOFT_FLOAT(float)
HEDDLE_SOFT_FLOAT(double)
#undef HEDDLE_SOFT_FLOAT

}  // namespace heddle::numeric
