// The functions of <cmath> for float by the names they have for double. clang's own header has some of them, and
// declares all.
#pragma once

#define HEDDLE_OVERLOAD(result, name) \
  HEDDLE_INLINE result name(float a) { return name##f(a); }
#define HEDDLE_OVERLOAD_2(name) \
  HEDDLE_INLINE float name(float a, float b) { return name##f(a, b); }

HEDDLE_OVERLOAD(float, acosh)
HEDDLE_OVERLOAD(float, asinh)
HEDDLE_OVERLOAD(float, atanh)
HEDDLE_OVERLOAD(float, cbrt)
HEDDLE_OVERLOAD(float, erf)
HEDDLE_OVERLOAD(float, erfc)
HEDDLE_OVERLOAD(float, exp2)
HEDDLE_OVERLOAD(float, expm1)
HEDDLE_OVERLOAD(float, lgamma)
HEDDLE_OVERLOAD(float, log1p)
HEDDLE_OVERLOAD(float, log2)
HEDDLE_OVERLOAD(float, logb)
HEDDLE_OVERLOAD(float, nearbyint)
HEDDLE_OVERLOAD(float, rint)
HEDDLE_OVERLOAD(float, round)
HEDDLE_OVERLOAD(float, tgamma)
HEDDLE_OVERLOAD(float, trunc)
HEDDLE_OVERLOAD(int, ilogb)
HEDDLE_OVERLOAD(long, lrint)
HEDDLE_OVERLOAD(long, lround)
HEDDLE_OVERLOAD(long long, llrint)
HEDDLE_OVERLOAD(long long, llround)
HEDDLE_OVERLOAD_2(copysign)
HEDDLE_OVERLOAD_2(fdim)
HEDDLE_OVERLOAD_2(fmax)
HEDDLE_OVERLOAD_2(fmin)
HEDDLE_OVERLOAD_2(hypot)
HEDDLE_OVERLOAD_2(nextafter)
HEDDLE_OVERLOAD_2(remainder)
#undef HEDDLE_OVERLOAD
#undef HEDDLE_OVERLOAD_2

HEDDLE_INLINE float fma(float a, float b, float c) { return fmaf(a, b, c); }
HEDDLE_INLINE float remquo(float a, float b, int* quotient) { return remquof(a, b, quotient); }
HEDDLE_INLINE float scalbn(float a, int by) { return scalbnf(a, by); }
HEDDLE_INLINE float scalbln(float a, long by) { return scalblnf(a, by); }
// Not in <cmath>.
HEDDLE_INLINE float rsqrt(float a) { return rsqrtf(a); }
HEDDLE_INLINE float rcbrt(float a) { return rcbrtf(a); }
HEDDLE_INLINE float exp10(float a) { return exp10f(a); }
HEDDLE_INLINE float sinpi(float a) { return sinpif(a); }
HEDDLE_INLINE float cospi(float a) { return cospif(a); }
HEDDLE_INLINE float erfinv(float a) { return erfinvf(a); }
HEDDLE_INLINE float erfcinv(float a) { return erfcinvf(a); }
HEDDLE_INLINE float normcdf(float a) { return normcdff(a); }
HEDDLE_INLINE float normcdfinv(float a) { return normcdfinvf(a); }
HEDDLE_INLINE void sincos(float a, float* sine, float* cosine) { sincosf(a, sine, cosine); }
HEDDLE_INLINE void sincospi(float a, float* sine, float* cosine) { sincospif(a, sine, cosine); }
