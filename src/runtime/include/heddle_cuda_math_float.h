// Mathematics in single precision for kernels, beside what cuda_minimal_math.h has of it: by one instruction, or by way
// of the doubles of heddle_cuda_math.h, which gives the nearest float but for a few arguments, and costs their time.
#pragma once

// The workloads' forms are for bases above zero, and for angles up to 10 000.
HEDDLE_INLINE float powf(float a, float b) {
  const bool usual = a > 0.0f && a < __builtin_inff() && fabsf(b) < __builtin_inff();
  return usual ? heddle_minimal_powf(a, b) : (float)pow((double)a, (double)b);
}
HEDDLE_INLINE float sinf(float a) { return fabsf(a) < 8192.0f ? heddle_minimal_sinf(a) : (float)sin((double)a); }
HEDDLE_INLINE float cosf(float a) { return fabsf(a) < 8192.0f ? heddle_minimal_cosf(a) : (float)cos((double)a); }
HEDDLE_INLINE void sincosf(float a, float* sine, float* cosine) {
  *sine = sinf(a);
  *cosine = cosf(a);
}
HEDDLE_INLINE double powi(double a, int b) { return pow(a, (double)b); }
HEDDLE_INLINE float powif(float a, int b) { return powf(a, (float)b); }

HEDDLE_INLINE float rcbrtf(float a) { return (float)rcbrt((double)a); }
HEDDLE_INLINE float nearbyintf(float a) { return __builtin_rintf(a); }
HEDDLE_INLINE float fdimf(float a, float b) { return a > b ? a - b : a <= b ? 0.0f : a + b; }
HEDDLE_INLINE float fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
HEDDLE_INLINE float roundf(float a) {
  const float whole = truncf(a);
  return fabsf(a - whole) >= 0.5f ? whole + copysignf(1.0f, a) : copysignf(whole, a);
}
HEDDLE_INLINE float tanhf(float a) {
  const float size = fabsf(a), z = a * a;
  if (size > 0.55f) return copysignf(size > 10.0f ? 1.0f : 1.0f - 2.0f / (expf(2.0f * size) + 1.0f), a);
  float series = fmaf(fmaf(-0.00618180403f, z, 0.0210023858f), z, -0.0538337499f);  // fitted up to 0.55
  series = fmaf(fmaf(series, z, 0.133323741f), z, -0.333333081f);
  return a == a ? fmaf(a * z, series, a) : a;
}
HEDDLE_INLINE float __tanf(float a) { return __sinf(a) / __cosf(a); }
HEDDLE_INLINE float __exp10f(float a) { return __nvvm_ex2_approx_f(a * 3.3219280948873623f); }
HEDDLE_INLINE float __log10f(float a) { return __nvvm_lg2_approx_f(a) * 0.3010299956639812f; }
HEDDLE_INLINE float __tanhf(float a) { return tanhf(a); }
HEDDLE_INLINE float __frsqrt_rn(float a) { return (float)(1.0 / sqrt((double)a)); }
HEDDLE_INLINE void __sincosf(float a, float* sine, float* cosine) {
  *sine = __sinf(a);
  *cosine = __cosf(a);
}

#define HEDDLE_BY_DOUBLE(name) \
  HEDDLE_INLINE float name##f(float a) { return (float)name((double)a); }
#define HEDDLE_BY_DOUBLES(name) \
  HEDDLE_INLINE float name##f(float a, float b) { return (float)name((double)a, (double)b); }

HEDDLE_BY_DOUBLE(exp10)
HEDDLE_BY_DOUBLE(expm1)
HEDDLE_BY_DOUBLE(log10)
HEDDLE_BY_DOUBLE(log1p)
HEDDLE_BY_DOUBLE(logb)
HEDDLE_BY_DOUBLE(cbrt)
HEDDLE_BY_DOUBLE(tan)
HEDDLE_BY_DOUBLE(sinpi)
HEDDLE_BY_DOUBLE(cospi)
HEDDLE_BY_DOUBLE(asin)
HEDDLE_BY_DOUBLE(acos)
HEDDLE_BY_DOUBLE(atan)
HEDDLE_BY_DOUBLE(sinh)
HEDDLE_BY_DOUBLE(cosh)
HEDDLE_BY_DOUBLE(asinh)
HEDDLE_BY_DOUBLE(acosh)
HEDDLE_BY_DOUBLE(atanh)
HEDDLE_BY_DOUBLE(erf)
HEDDLE_BY_DOUBLE(erfc)
HEDDLE_BY_DOUBLE(erfcx)
HEDDLE_BY_DOUBLE(erfinv)
HEDDLE_BY_DOUBLE(erfcinv)
HEDDLE_BY_DOUBLE(normcdf)
HEDDLE_BY_DOUBLE(normcdfinv)
HEDDLE_BY_DOUBLE(tgamma)
HEDDLE_BY_DOUBLE(lgamma)
HEDDLE_BY_DOUBLE(j0)
HEDDLE_BY_DOUBLE(j1)
HEDDLE_BY_DOUBLE(cyl_bessel_i0)
HEDDLE_BY_DOUBLE(cyl_bessel_i1)
HEDDLE_BY_DOUBLES(atan2)
HEDDLE_BY_DOUBLES(fmod)
HEDDLE_BY_DOUBLES(remainder)
HEDDLE_BY_DOUBLES(hypot)
HEDDLE_BY_DOUBLES(rhypot)
#undef HEDDLE_BY_DOUBLE
#undef HEDDLE_BY_DOUBLES

HEDDLE_INLINE float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
HEDDLE_INLINE float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
HEDDLE_INLINE float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
HEDDLE_INLINE float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }
HEDDLE_INLINE float ldexpf(float a, int by) { return (float)ldexp((double)a, by); }
HEDDLE_INLINE float scalbnf(float a, int by) { return (float)ldexp((double)a, by); }
HEDDLE_INLINE float scalblnf(float a, long by) { return (float)scalbln((double)a, by); }
HEDDLE_INLINE float frexpf(float a, int* exponent) { return (float)frexp((double)a, exponent); }
HEDDLE_INLINE int ilogbf(float a) { return ilogb((double)a); }
HEDDLE_INLINE float modff(float a, float* whole) {
  *whole = truncf(a);
  return copysignf(a - a == 0.0f ? a - *whole : a == a ? 0.0f : a, a);
}
HEDDLE_INLINE float nextafterf(float a, float b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  if (a == 0.0f) return copysignf(__int_as_float(1), b);
  return __int_as_float(__float_as_int(a) + ((a < b) == (a > 0.0f) ? 1 : -1));
}
HEDDLE_INLINE void sincospif(float a, float* sine, float* cosine) {
  *sine = sinpif(a);
  *cosine = cospif(a);
}

// ---- to whole numbers

#define HEDDLE_TO_WHOLE(type, prefix)                                   \
  HEDDLE_INLINE type prefix##rint(double a) { return (type)rint(a); }   \
  HEDDLE_INLINE type prefix##rintf(float a) { return (type)rintf(a); }  \
  HEDDLE_INLINE type prefix##round(double a) { return (type)round(a); } \
  HEDDLE_INLINE type prefix##roundf(float a) { return (type)roundf(a); }
HEDDLE_TO_WHOLE(long, l)
HEDDLE_TO_WHOLE(long long, ll)
#undef HEDDLE_TO_WHOLE

HEDDLE_INLINE double remquo(double a, double b, int* quotient) {
  const double rest = remainder(a, b);
  *quotient = (int)((long long)fmod(rint((a - rest) / b), 0x1p31));
  return rest;
}
HEDDLE_INLINE float remquof(float a, float b, int* quotient) { return (float)remquo((double)a, (double)b, quotient); }
HEDDLE_INLINE double nan(const char*) { return __builtin_nan(""); }
HEDDLE_INLINE float nanf(const char*) { return __builtin_nanf(""); }

// ---- kinds of numbers: what clang's own header of overloads asks for

#define HEDDLE_KINDS(type, infinity, bits, sign)                                      \
  HEDDLE_INLINE int __isnan##sign(type a) { return a != a; }                          \
  HEDDLE_INLINE int __isinf##sign(type a) { return a == infinity || a == -infinity; } \
  HEDDLE_INLINE int __finite##sign(type a) { return a - a == 0; }                     \
  HEDDLE_INLINE int __signbit##bits(type a) { return __builtin_signbit(a); }
HEDDLE_INLINE int __isfinited(double a) { return a - a == 0.0; }
HEDDLE_KINDS(float, __builtin_inff(), f, f)
HEDDLE_KINDS(double, __builtin_inf(), d, )
#undef HEDDLE_KINDS
