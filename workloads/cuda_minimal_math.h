// The mathematics of cuda_minimal.h.
//
// The same instruction as nvcc's, hence the same bits: sqrtf and its like, rsqrtf, fmaf, minima and maxima,
// roundings, bit functions, and the fast forms __expf, __logf, __sinf, __cosf, __fdividef …
//
// NOT the same bits as nvcc's, which takes them from its own library: expf, exp2f, logf, log2f, sinf, cosf, powf.
// They are written out here. Largest errors found over 200 000 arguments each, in units in the last place: expf 1.9,
// exp2f 2.1, logf 0.9, log2f 1.6, powf 0.5 (for a base of zero or above), sinf and cosf 1.5 where the result is
// above 0.001, and 1e-10 absolute below that, for arguments up to 10 000. nvcc's own are documented with 1 or 2, so
// a tolerance that allows for nvcc's functions allows for these. Workloads that check for equal bits use none of them.
#pragma once

// ---- integers and bits

HEDDLE_INLINE int min(int a, int b) { return a < b ? a : b; }
HEDDLE_INLINE int max(int a, int b) { return a > b ? a : b; }
HEDDLE_INLINE unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
HEDDLE_INLINE unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
HEDDLE_INLINE long long min(long long a, long long b) { return a < b ? a : b; }
HEDDLE_INLINE long long max(long long a, long long b) { return a > b ? a : b; }
HEDDLE_INLINE int abs(int a) { return a < 0 ? -a : a; }
HEDDLE_INLINE int __popc(unsigned a) { return __builtin_popcount(a); }
HEDDLE_INLINE int __clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned)a); }
HEDDLE_INLINE int __ffs(int a) { return __builtin_ffs(a); }
HEDDLE_INLINE unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
HEDDLE_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  return (unsigned)__nvvm_prmt((int)a, (int)b, (int)s);
}
HEDDLE_INLINE int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
HEDDLE_INLINE unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
HEDDLE_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return (unsigned)((((unsigned long long)high << 32 | low) << (by & 31)) >> 32);
}
HEDDLE_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
HEDDLE_INLINE int __float_as_int(float a) { return __builtin_bit_cast(int, a); }
HEDDLE_INLINE unsigned __float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
HEDDLE_INLINE float __int_as_float(int a) { return __builtin_bit_cast(float, a); }
HEDDLE_INLINE float __uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }

// ---- one instruction each

HEDDLE_INLINE float sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
HEDDLE_INLINE double sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
HEDDLE_INLINE float rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
HEDDLE_INLINE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HEDDLE_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
HEDDLE_INLINE float fabsf(float a) { return __builtin_fabsf(a); }
HEDDLE_INLINE double fabs(double a) { return __builtin_fabs(a); }
HEDDLE_INLINE float fminf(float a, float b) { return __builtin_fminf(a, b); }
HEDDLE_INLINE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
HEDDLE_INLINE float floorf(float a) { return __builtin_floorf(a); }
HEDDLE_INLINE float ceilf(float a) { return __builtin_ceilf(a); }
HEDDLE_INLINE float truncf(float a) { return __builtin_truncf(a); }
HEDDLE_INLINE float rintf(float a) { return __builtin_rintf(a); }
HEDDLE_INLINE float copysignf(float a, float b) { return __builtin_copysignf(a, b); }
HEDDLE_INLINE bool isnan(float a) { return a != a; }
HEDDLE_INLINE int __float2int_rn(float a) { return __nvvm_f2i_rn(a); }
HEDDLE_INLINE int __float2int_rd(float a) { return __nvvm_f2i_rm(a); }
HEDDLE_INLINE int __float2int_ru(float a) { return __nvvm_f2i_rp(a); }
HEDDLE_INLINE int __float2int_rz(float a) { return __nvvm_f2i_rz(a); }
HEDDLE_INLINE unsigned __float2uint_rn(float a) { return __nvvm_f2ui_rn(a); }
HEDDLE_INLINE unsigned __float2uint_rz(float a) { return __nvvm_f2ui_rz(a); }
HEDDLE_INLINE float __saturatef(float a) { return __nvvm_saturate_f(a); }
HEDDLE_INLINE float __fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }
HEDDLE_INLINE float __frcp_rn(float a) { return __nvvm_rcp_rn_f(a); }
HEDDLE_INLINE float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
HEDDLE_INLINE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

// Instructions in words: clang would contract its builtins of these with what stands around them.
HEDDLE_INLINE float __fadd_rn(float a, float b) {
  float sum;
  asm("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(a), "f"(b));
  return sum;
}
HEDDLE_INLINE float __fsub_rn(float a, float b) { return __fadd_rn(a, -b); }
HEDDLE_INLINE float __fmul_rn(float a, float b) {
  float product;
  asm("mul.rn.f32 %0, %1, %2;" : "=f"(product) : "f"(a), "f"(b));
  return product;
}

// ---- fast forms, as nvcc makes them

HEDDLE_INLINE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
HEDDLE_INLINE float __expf(float a) { return __nvvm_ex2_approx_f(a * 1.4426950408889634f); }
HEDDLE_INLINE float __logf(float a) { return __nvvm_lg2_approx_f(a) * 0.6931471805599453f; }
HEDDLE_INLINE float __log2f(float a) { return __nvvm_lg2_approx_f(a); }
HEDDLE_INLINE float __sinf(float a) { return __nvvm_sin_approx_f(a); }
HEDDLE_INLINE float __cosf(float a) { return __nvvm_cos_approx_f(a); }
HEDDLE_INLINE float __powf(float a, float b) { return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a)); }

// ---- written out

// 2^a times 2^whole, a being small and `whole` a whole number that may leave the range of one power.
HEDDLE_INLINE float heddle_scaled_power(float a, float whole) {
  const float half = floorf(0.5f * whole);
  return __nvvm_ex2_approx_f(a) * __nvvm_ex2_approx_f(half) * __nvvm_ex2_approx_f(whole - half);
}

HEDDLE_INLINE float expf(float a) {
  a = a > 89.0f ? 89.0f : a < -104.0f ? -104.0f : a;  // beyond it is infinity or zero; not a number stays
  const float whole = rintf(a * 1.44269504f);
  const float rest = fmaf(whole, 1.90465421e-9f, fmaf(whole, -0.693147182f, a));  // ln 2 in two pieces
  return heddle_scaled_power(rest * 1.44269504f, whole);
}

HEDDLE_INLINE float exp2f(float a) {
  a = a > 129.0f ? 129.0f : a < -151.0f ? -151.0f : a;
  const float whole = rintf(a);
  return heddle_scaled_power(a - whole, whole);
}

// A number above zero is (1 + fraction) 2^exponent with 1 + fraction between sqrt(1/2) and sqrt(2).
struct HeddleParts {
  float fraction, exponent;
};

HEDDLE_INLINE HeddleParts heddle_parts(float a) {
  const bool tiny = a < 1.17549435e-38f;
  const int bits = __float_as_int(tiny ? a * 8388608.0f : a);
  const int exponent = (bits - 0x3f3504f3) >> 23;
  return {__int_as_float(bits - (exponent << 23)) - 1.0f, (float)(exponent - (tiny ? 23 : 0))};
}

// What a logarithm is outside of the numbers above zero.
HEDDLE_INLINE float heddle_log_edge(float a) {
  if (a == 0.0f) return -__builtin_inff();
  return a > 0.0f ? a : __builtin_nanf("");
}

// ln(1 + f) = 2 artanh(f / (2 + f)) = f - s (f - tail), by the series of artanh; the form loses nothing near 1.
HEDDLE_INLINE float heddle_log1p(float f) {
  const float s = f / (2.0f + f), z = s * s;
  const float tail = z * fmaf(z, fmaf(z, fmaf(z, fmaf(z, 2.0f / 11, 2.0f / 9), 2.0f / 7), 2.0f / 5), 2.0f / 3);
  const float half_square = 0.5f * f * f;
  return f - (half_square - s * (half_square + tail));
}

HEDDLE_INLINE float logf(float a) {
  if (!(a > 0.0f && a < __builtin_inff())) return heddle_log_edge(a);
  const HeddleParts parts = heddle_parts(a);
  const float log1p = heddle_log1p(parts.fraction);
  return fmaf(parts.exponent, 0.693145752f, fmaf(parts.exponent, 1.42860677e-6f, log1p));
}

HEDDLE_INLINE float log2f(float a) {
  if (!(a > 0.0f && a < __builtin_inff())) return heddle_log_edge(a);
  const HeddleParts parts = heddle_parts(a);
  const float log1p = heddle_log1p(parts.fraction);
  return parts.exponent + fmaf(log1p, 1.92596303e-8f, log1p * 1.44269502f);
}

// a = quarter pi/2 + the rest: pi/2 in three pieces.
HEDDLE_INLINE float heddle_quarter(float a, int* quarter) {
  const float whole = rintf(a * 0.636619772f);
  *quarter = (int)whole;
  return fmaf(whole, 1.71512448e-15f, fmaf(whole, 4.37113883e-8f, fmaf(whole, -1.57079637f, a)));
}

// Taylor series, up to pi/4: what is left off is below 3e-9 of the result.
HEDDLE_INLINE float heddle_sin_small(float a) {
  const float z = a * a;
  const float series = fmaf(z, fmaf(z, fmaf(z, 1.0f / 362880, -1.0f / 5040), 1.0f / 120), -1.0f / 6);
  return fmaf(a * z, series, a);
}

HEDDLE_INLINE float heddle_cos_small(float a) {
  const float z = a * a;
  const float series = fmaf(z, fmaf(z, fmaf(z, fmaf(z, -1.0f / 3628800, 1.0f / 40320), -1.0f / 720), 1.0f / 24), -0.5f);
  return fmaf(z, series, 1.0f);
}

HEDDLE_INLINE float heddle_turned(float a, int quarters_more) {
  int quarter;
  const float rest = heddle_quarter(a, &quarter);
  quarter += quarters_more;
  const float value = quarter & 1 ? heddle_cos_small(rest) : heddle_sin_small(rest);
  return quarter & 2 ? -value : value;
}

HEDDLE_INLINE float sinf(float a) { return heddle_turned(a, 0); }
HEDDLE_INLINE float cosf(float a) { return heddle_turned(a, 1); }
HEDDLE_INLINE void sincosf(float a, float* sine, float* cosine) {
  *sine = sinf(a);
  *cosine = cosf(a);
}

// a^b for a >= 0, in double precision between: log2 a by the series of artanh, then 2^x by that of exp.
HEDDLE_INLINE float powf(float a, float b) {
  if (b == 0.0f || a == 1.0f) return 1.0f;
  if (!(a > 0.0f)) return a == 0.0f ? (b > 0.0f ? 0.0f : __builtin_inff()) : __builtin_nanf("");
  const HeddleParts parts = heddle_parts(a);
  const double s = parts.fraction / (2.0 + parts.fraction), z = s * s;
  double series = 0.0;
#pragma unroll
  for (int i = 15; i >= 1; i -= 2) series = series * z + 2.0 / i;
  double x = b * (series * s * 1.4426950408889634 + parts.exponent);
  x = x > 130.0 ? 130.0 : x < -152.0 ? -152.0 : x;
  const double whole = __builtin_rint(x), rest = (x - whole) * 0.6931471805599453;
  double power = 1.0;
#pragma unroll
  for (int i = 11; i >= 1; --i) power = power * rest / i + 1.0;
  const int half = (int)whole >> 1, other = (int)whole - half;
  return (float)(power * __int_as_float((half + 127) << 23) * __int_as_float((other + 127) << 23));
}
