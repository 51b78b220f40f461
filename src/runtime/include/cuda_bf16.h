// Numbers of 16 bits with the range of float: __nv_bfloat16 and __nv_bfloat162. Compute capability 7.5 has no
// instructions for them; all goes by way of float.
#pragma once

#include "heddle_small_floats.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))  // as in cuda_runtime.h

struct __nv_bfloat16_raw;
struct __nv_bfloat162_raw;
HEDDLE_SMALL float heddle_to_float(const __nv_bfloat16_raw& raw);
HEDDLE_SMALL void heddle_of_double(double a, HeddleRounding rounding, __nv_bfloat16_raw* raw);
HEDDLE_SMALL void heddle_of_float(float a, HeddleRounding rounding, __nv_bfloat16_raw* raw);

#define HEDDLE_TYPE __nv_bfloat16
#define HEDDLE_RAW __nv_bfloat16_raw
#define HEDDLE_PAIR __nv_bfloat162
#define HEDDLE_PAIR_RAW __nv_bfloat162_raw
#include "heddle_small_class.h"
#undef HEDDLE_TYPE
#undef HEDDLE_RAW
#undef HEDDLE_PAIR
#undef HEDDLE_PAIR_RAW

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// ---- the format: the upper half of a float

HEDDLE_SMALL float heddle_to_float(const __nv_bfloat16_raw& raw) {
  return __builtin_bit_cast(float, (unsigned)raw.x << 16);
}
HEDDLE_SMALL void heddle_of_float(float a, HeddleRounding rounding, __nv_bfloat16_raw* raw) {
  const unsigned bits = __builtin_bit_cast(unsigned, a), rest = bits & 0xffff;
  const bool negative = bits >> 31, away = rounding == (negative ? kHeddleDown : kHeddleUp);
  unsigned upper = bits >> 16;
  if (rounding == kHeddleNearest) upper += rest > 0x8000 || (rest == 0x8000 && (upper & 1));
  if (away && a - a == 0.0f) upper += rest != 0;
  raw->x = a == a ? (unsigned short)upper : 0x7fff;
}
HEDDLE_SMALL void heddle_of_double(double a, HeddleRounding rounding, __nv_bfloat16_raw* raw) {
#ifdef __CUDA_ARCH__
  heddle_of_float(heddle_odd_float(a), rounding, raw);
#else
  raw->x = heddle_small_bits(a, 7, 127, rounding);
#endif
}

// ---- arithmetic

#define HEDDLE_BFLOAT_ARITHMETIC(name, sign)                                      \
  HEDDLE_SMALL __nv_bfloat16 heddle_##name(__nv_bfloat16 a, __nv_bfloat16 b) {    \
    return __nv_bfloat16((float)a sign(float) b);                                 \
  }                                                                               \
  HEDDLE_SMALL __nv_bfloat162 heddle_##name(__nv_bfloat162 a, __nv_bfloat162 b) { \
    return __nv_bfloat162(heddle_##name(a.x, b.x), heddle_##name(a.y, b.y));      \
  }
HEDDLE_BFLOAT_ARITHMETIC(add, +)
HEDDLE_BFLOAT_ARITHMETIC(sub, -)
HEDDLE_BFLOAT_ARITHMETIC(mul, *)
#undef HEDDLE_BFLOAT_ARITHMETIC

HEDDLE_SMALL __nv_bfloat16 heddle_fma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __nv_bfloat16::rounded(heddle_odd_sum((double)(float)a * (float)b, (float)c), kHeddleNearest);
}
HEDDLE_SMALL __nv_bfloat162 heddle_fma(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return __nv_bfloat162(heddle_fma(a.x, b.x, c.x), heddle_fma(a.y, b.y, c.y));
}

HEDDLE_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, bfloat16)
HEDDLE_SMALL_WHOLE(__nv_bfloat16, bfloat16)

// ---- conversions by name

HEDDLE_SMALL __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16::rounded(a, kHeddleNearest); }
HEDDLE_SMALL __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16::rounded(a, kHeddleNearest); }
HEDDLE_SMALL __nv_bfloat16 __float2bfloat16_rz(float a) { return __nv_bfloat16::rounded(a, kHeddleToZero); }
HEDDLE_SMALL __nv_bfloat16 __float2bfloat16_rd(float a) { return __nv_bfloat16::rounded(a, kHeddleDown); }
HEDDLE_SMALL __nv_bfloat16 __float2bfloat16_ru(float a) { return __nv_bfloat16::rounded(a, kHeddleUp); }
HEDDLE_SMALL __nv_bfloat16 __double2bfloat16(double a) { return __nv_bfloat16::rounded(a, kHeddleNearest); }
HEDDLE_SMALL float __bfloat162float(__nv_bfloat16 a) { return (float)a; }
HEDDLE_SMALL __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
HEDDLE_SMALL __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
HEDDLE_SMALL __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __nv_bfloat162(__float2bfloat16(a), __float2bfloat16(b));
}
HEDDLE_SMALL __nv_bfloat162 __float2bfloat162_rn(float a) { return __floats2bfloat162_rn(a, a); }
HEDDLE_SMALL __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
HEDDLE_SMALL float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2((float)a.x, (float)a.y); }
HEDDLE_SMALL short __bfloat16_as_short(__nv_bfloat16 a) { return (short)a.bits(); }
HEDDLE_SMALL unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.bits(); }
HEDDLE_SMALL __nv_bfloat16 __short_as_bfloat16(short a) { return __nv_bfloat16::of_bits((unsigned short)a); }
HEDDLE_SMALL __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) { return __nv_bfloat16::of_bits(a); }

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)

#pragma clang attribute pop
