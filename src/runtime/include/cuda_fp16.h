// Numbers of 16 bits, as IEEE 754 has them: __half and __half2. In kernels sums, products and fma are the instructions
// for them; all else goes by way of float.
#pragma once

#include "heddle_small_floats.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))  // as in cuda_runtime.h

struct __half_raw;
struct __half2_raw;
HEDDLE_SMALL float heddle_to_float(const __half_raw& raw);
HEDDLE_SMALL void heddle_of_double(double a, HeddleRounding rounding, __half_raw* raw);
HEDDLE_SMALL void heddle_of_float(float a, HeddleRounding rounding, __half_raw* raw);

#define HEDDLE_TYPE __half
#define HEDDLE_RAW __half_raw
#define HEDDLE_PAIR __half2
#define HEDDLE_PAIR_RAW __half2_raw
#include "heddle_small_class.h"
#undef HEDDLE_TYPE
#undef HEDDLE_RAW
#undef HEDDLE_PAIR
#undef HEDDLE_PAIR_RAW

typedef __half half;
typedef __half nv_half;
typedef __half2 half2;
typedef __half2 nv_half2;

// ---- the format

HEDDLE_SMALL float heddle_to_float(const __half_raw& raw) {
#ifdef __CUDA_ARCH__
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(raw.x));
  return value;
#else
  const int exponent = raw.x >> 10 & 31, mantissa = raw.x & 1023;
  const float size = exponent == 31
                         ? (mantissa ? __builtin_nanf("") : __builtin_inff())
                         : std::ldexp(float(exponent ? mantissa | 1024 : mantissa), (exponent ? exponent : 1) - 25);
  return raw.x & 0x8000 ? -size : size;
#endif
}
HEDDLE_SMALL void heddle_of_float(float a, HeddleRounding rounding, __half_raw* raw) {
#ifdef __CUDA_ARCH__
  switch (rounding) {
    case kHeddleNearest: asm("cvt.rn.f16.f32 %0, %1;" : "=h"(raw->x) : "f"(a)); break;
    case kHeddleToZero: asm("cvt.rz.f16.f32 %0, %1;" : "=h"(raw->x) : "f"(a)); break;
    case kHeddleDown: asm("cvt.rm.f16.f32 %0, %1;" : "=h"(raw->x) : "f"(a)); break;
    case kHeddleUp: asm("cvt.rp.f16.f32 %0, %1;" : "=h"(raw->x) : "f"(a)); break;
  }
#else
  raw->x = heddle_small_bits(a, 10, 15, rounding);
#endif
}
HEDDLE_SMALL void heddle_of_double(double a, HeddleRounding rounding, __half_raw* raw) {
#ifdef __CUDA_ARCH__
  heddle_of_float(heddle_odd_float(a), rounding, raw);
#else
  raw->x = heddle_small_bits(a, 10, 15, rounding);
#endif
}

// ---- arithmetic

#define HEDDLE_HALF_ARITHMETIC(name, sign)                                                                      \
  HEDDLE_SMALL __half heddle_##name(__half a, __half b){HEDDLE_HALF_INSTRUCTION(                                \
      #name ".f16", "h", a, b, __half((float)a sign(float) b))} HEDDLE_SMALL __half2 heddle_##name(__half2 a,   \
                                                                                                   __half2 b) { \
    HEDDLE_HALF_INSTRUCTION_2(#name ".f16x2", a, b, __half2(heddle_##name(a.x, b.x), heddle_##name(a.y, b.y)))  \
  }
#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_INSTRUCTION(instruction, c, a, b, otherwise)                 \
  unsigned short value;                                                          \
  asm(instruction " %0, %1, %2;" : "=" c(value) : c((a).bits()), c((b).bits())); \
  return __half::of_bits(value);
#define HEDDLE_HALF_INSTRUCTION_2(instruction, a, b, otherwise)                      \
  unsigned value;                                                                    \
  asm(instruction " %0, %1, %2;"                                                     \
      : "=r"(value)                                                                  \
      : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b))); \
  return __builtin_bit_cast(__half2, value);
#else
#define HEDDLE_HALF_INSTRUCTION(instruction, c, a, b, otherwise) return otherwise;
#define HEDDLE_HALF_INSTRUCTION_2(instruction, a, b, otherwise) return otherwise;
#endif
HEDDLE_HALF_ARITHMETIC(add, +)
HEDDLE_HALF_ARITHMETIC(sub, -)
HEDDLE_HALF_ARITHMETIC(mul, *)
#undef HEDDLE_HALF_ARITHMETIC
#undef HEDDLE_HALF_INSTRUCTION
#undef HEDDLE_HALF_INSTRUCTION_2

HEDDLE_SMALL __half heddle_fma(__half a, __half b, __half c) {
#ifdef __CUDA_ARCH__
  unsigned short value;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(value) : "h"(a.bits()), "h"(b.bits()), "h"(c.bits()));
  return __half::of_bits(value);
#else
  return __half::rounded(heddle_odd_sum((double)(float)a * (float)b, (float)c), kHeddleNearest);
#endif
}
HEDDLE_SMALL __half2 heddle_fma(__half2 a, __half2 b, __half2 c) {
#ifdef __CUDA_ARCH__
  unsigned value;
  asm("fma.rn.f16x2 %0, %1, %2, %3;"
      : "=r"(value)
      : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)),
        "r"(__builtin_bit_cast(unsigned, c)));
  return __builtin_bit_cast(__half2, value);
#else
  return __half2(heddle_fma(a.x, b.x, c.x), heddle_fma(a.y, b.y, c.y));
#endif
}

HEDDLE_SMALL_FLOAT(__half, __half2, half)
HEDDLE_SMALL_WHOLE(__half, half)

// ---- conversions by name

HEDDLE_SMALL __half __float2half(float a) { return __half::rounded(a, kHeddleNearest); }
HEDDLE_SMALL __half __float2half_rn(float a) { return __half::rounded(a, kHeddleNearest); }
HEDDLE_SMALL __half __float2half_rz(float a) { return __half::rounded(a, kHeddleToZero); }
HEDDLE_SMALL __half __float2half_rd(float a) { return __half::rounded(a, kHeddleDown); }
HEDDLE_SMALL __half __float2half_ru(float a) { return __half::rounded(a, kHeddleUp); }
HEDDLE_SMALL __half __double2half(double a) { return __half::rounded(a, kHeddleNearest); }
HEDDLE_SMALL float __half2float(__half a) { return (float)a; }
HEDDLE_SMALL __half2 __float2half2_rn(float a) { return __half2(__float2half(a), __float2half(a)); }
HEDDLE_SMALL __half2 __floats2half2_rn(float a, float b) { return __half2(__float2half(a), __float2half(b)); }
HEDDLE_SMALL __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
HEDDLE_SMALL float2 __half22float2(__half2 a) { return make_float2((float)a.x, (float)a.y); }
HEDDLE_SMALL __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
HEDDLE_SMALL __half2 make_half2(__half a, __half b) { return __half2(a, b); }
HEDDLE_SMALL short __half_as_short(__half a) { return (short)a.bits(); }
HEDDLE_SMALL unsigned short __half_as_ushort(__half a) { return a.bits(); }
HEDDLE_SMALL __half __short_as_half(short a) { return __half::of_bits((unsigned short)a); }
HEDDLE_SMALL __half __ushort_as_half(unsigned short a) { return __half::of_bits(a); }

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)

#pragma clang attribute pop
