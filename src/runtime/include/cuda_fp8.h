// Numbers of 8 bits: __nv_fp8_e4m3 (bias 7, up to 448, no infinity) and __nv_fp8_e5m2 (bias 15, up to 57344), alone, in
// pairs and by fours. They are stored and converted only; rounding is to nearest even.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))  // as in cuda_runtime.h

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// ---- conversions of one number

// What is too large is the largest number, or without saturation infinity, which E4M3 writes as not a number. Of what
// is not a number a double keeps the sign and the first bits; the others do not.
HEDDLE_SMALL __nv_fp8_storage_t __nv_cvt_double_to_fp8(double a, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t kind) {
  const int mantissa = kind == __NV_E4M3 ? 3 : 2, lowest = kind == __NV_E4M3 ? -6 : -14;
  const unsigned largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, a);
  const unsigned sign = bits >> 63 ? 0x80 : 0;
  const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (a != a) return (__nv_fp8_storage_t)(sign | (kind == __NV_E4M3 ? 0x7f : 0x7e | (bits >> 50 & 1)));
  if (exponent == -1023) return (__nv_fp8_storage_t)sign;
  const bool is_small = exponent < lowest;
  const int lost = 52 - mantissa + (is_small ? lowest - exponent : 0), cut = lost < 63 ? lost : 63;
  const unsigned long long whole = (bits & 0xfffffffffffffull) | 1ull << 52, half = 1ull << (cut - 1);
  const unsigned long long rest = whole & (2 * half - 1);
  unsigned long long result = whole >> cut;
  result += rest > half || (rest == half && (result & 1));
  if (!is_small) result += (unsigned long long)(exponent - lowest) << mantissa;
  if (result > largest) result = saturate == __NV_SATFINITE ? largest : kind == __NV_E4M3 ? 0x7f : 0x7c;
  return (__nv_fp8_storage_t)(sign | result);
}
HEDDLE_SMALL __nv_fp8_storage_t __nv_cvt_float_to_fp8(float a, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t kind) {
  return a == a ? __nv_cvt_double_to_fp8(a, saturate, kind) : 0x7f;
}
HEDDLE_SMALL __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw a, __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8((float)__half(a), saturate, kind);
}
HEDDLE_SMALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw a, __nv_saturation_t saturate,
                                                            __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8((float)__nv_bfloat16(a), saturate, kind);
}

// Every number of 8 bits is a half. E5M2 is the upper byte of one; E4M3 has 8 less of bias.
HEDDLE_SMALL __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t a, __nv_fp8_interpretation_t kind) {
  const unsigned sign = (a & 0x80u) << 8, size = a & 0x7f;
  if (size > (kind == __NV_E4M3 ? 0x7e : 0x7c)) return {0x7fff};
  if (kind == __NV_E5M2) return {(unsigned short)(sign | size << 8)};
  if (size >= 8) return {(unsigned short)(sign | ((size << 7) + (8u << 10)))};
  unsigned number = size, exponent = 9;  // of eighths of 2^-6: the first bit goes to where it is not written
  if (number == 0) return {(unsigned short)sign};
  for (; number < 8; number *= 2) --exponent;
  return {(unsigned short)(sign | exponent << 10 | (number & 7) << 7)};
}

// ---- of pairs: the first is the lower byte

#define HEDDLE_FP8_PAIR(name, Pair, one)                                                           \
  HEDDLE_SMALL __nv_fp8x2_storage_t __nv_cvt_##name##_to_fp8x2(Pair a, __nv_saturation_t saturate, \
                                                               __nv_fp8_interpretation_t kind) {   \
    return (__nv_fp8x2_storage_t)(__nv_cvt_##one##_to_fp8({a.x}, saturate, kind) |                 \
                                  __nv_cvt_##one##_to_fp8({a.y}, saturate, kind) << 8);            \
  }
HEDDLE_FP8_PAIR(double2, double2, double)
HEDDLE_FP8_PAIR(float2, float2, float)
HEDDLE_FP8_PAIR(halfraw2, __half2_raw, halfraw)
HEDDLE_FP8_PAIR(bfloat16raw2, __nv_bfloat162_raw, bfloat16raw)
#undef HEDDLE_FP8_PAIR
HEDDLE_SMALL __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t a, __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)a, kind).x,
          __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(a >> 8), kind).x};
}

// ---- the types, which saturate

// The nearest to zero of type T: what is beyond its range is its end, and what is no number is 0.
template <class T>
HEDDLE_SMALL T heddle_fp8_integer(float a) {
  const double low = std::is_signed_v<T> ? -(double)(1ull << (8 * sizeof(T) - 1)) : 0.0;
  const double high = std::is_signed_v<T> ? -low : 2.0 * (double)(1ull << (8 * sizeof(T) - 1));
  if (!(a == a)) return 0;
  if ((double)a <= low) return (T)(std::is_signed_v<T> ? 1ull << (8 * sizeof(T) - 1) : 0);
  return (double)a >= high ? (T)((std::is_signed_v<T> ? 1ull << (8 * sizeof(T) - 1) : 0ull) - 1) : (T)a;
}

#define HEDDLE_FP8_INTEGER(type, kind, T)                                                                \
  explicit __host__ __device__ type(T a) : __x(__nv_cvt_float_to_fp8((float)a, __NV_SATFINITE, kind)) {} \
  explicit __host__ __device__ operator T() const { return heddle_fp8_integer<T>((float)*this); }
#define HEDDLE_FP8_TYPES(type, pair, four, kind)                                                                      \
  struct type {                                                                                                       \
    __nv_fp8_storage_t __x;                                                                                           \
    type() = default;                                                                                                 \
    explicit __host__ __device__ type(float a) : __x(__nv_cvt_float_to_fp8(a, __NV_SATFINITE, kind)) {}               \
    explicit __host__ __device__ type(double a) : __x(__nv_cvt_double_to_fp8(a, __NV_SATFINITE, kind)) {}             \
    explicit __host__ __device__ type(__half a) : __x(__nv_cvt_halfraw_to_fp8(a, __NV_SATFINITE, kind)) {}            \
    explicit __host__ __device__ type(__nv_bfloat16 a) : __x(__nv_cvt_bfloat16raw_to_fp8(a, __NV_SATFINITE, kind)) {} \
    explicit __host__ __device__ operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, kind); }               \
    explicit __host__ __device__ operator float() const { return (float)(__half) * this; }                            \
    explicit __host__ __device__ operator double() const { return (float)*this; }                                     \
    explicit __host__ __device__ operator __nv_bfloat16() const { return __nv_bfloat16((float)*this); }               \
    explicit __host__ __device__ operator bool() const { return (__x & 0x7f) != 0; }                                  \
    HEDDLE_FP8_INTEGER(type, kind, signed char)                                                                       \
    HEDDLE_FP8_INTEGER(type, kind, unsigned char)                                                                     \
    HEDDLE_FP8_INTEGER(type, kind, short)                                                                             \
    HEDDLE_FP8_INTEGER(type, kind, unsigned short)                                                                    \
    HEDDLE_FP8_INTEGER(type, kind, int)                                                                               \
    HEDDLE_FP8_INTEGER(type, kind, unsigned)                                                                          \
    HEDDLE_FP8_INTEGER(type, kind, long)                                                                              \
    HEDDLE_FP8_INTEGER(type, kind, unsigned long)                                                                     \
    HEDDLE_FP8_INTEGER(type, kind, long long)                                                                         \
    HEDDLE_FP8_INTEGER(type, kind, unsigned long long)                                                                \
  };                                                                                                                  \
  struct pair {                                                                                                       \
    __nv_fp8x2_storage_t __x;                                                                                         \
    pair() = default;                                                                                                 \
    explicit __host__ __device__ pair(float2 a) : __x(__nv_cvt_float2_to_fp8x2(a, __NV_SATFINITE, kind)) {}           \
    explicit __host__ __device__ pair(double2 a) : __x(__nv_cvt_double2_to_fp8x2(a, __NV_SATFINITE, kind)) {}         \
    explicit __host__ __device__ pair(__half2 a) : __x(__nv_cvt_halfraw2_to_fp8x2(a, __NV_SATFINITE, kind)) {}        \
    explicit __host__ __device__ pair(__nv_bfloat162 a)                                                               \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(a, __NV_SATFINITE, kind)) {}                                             \
    explicit __host__ __device__ operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, kind); }           \
    explicit __host__ __device__ operator float2() const {                                                            \
      const __half2 halves = (__half2) * this;                                                                        \
      return {(float)halves.x, (float)halves.y};                                                                      \
    }                                                                                                                 \
  };                                                                                                                  \
  struct four {                                                                                                       \
    __nv_fp8x4_storage_t __x;                                                                                         \
    four() = default;                                                                                                 \
    explicit __host__ __device__ four(pair low, pair high) : __x((unsigned)high.__x << 16 | low.__x) {}               \
    explicit __host__ __device__ four(float4 a) : four(pair(float2{a.x, a.y}), pair(float2{a.z, a.w})) {}             \
    explicit __host__ __device__ four(double4 a) : four(pair(double2{a.x, a.y}), pair(double2{a.z, a.w})) {}          \
    explicit __host__ __device__ four(__half2 low, __half2 high) : four(pair(low), pair(high)) {}                     \
    explicit __host__ __device__ four(__nv_bfloat162 low, __nv_bfloat162 high) : four(pair(low), pair(high)) {}       \
    explicit __host__ __device__ operator float4() const {                                                            \
      pair low, high;                                                                                                 \
      low.__x = (__nv_fp8x2_storage_t)__x;                                                                            \
      high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                                                   \
      const float2 first = (float2)low, second = (float2)high;                                                        \
      return {first.x, first.y, second.x, second.y};                                                                  \
    }                                                                                                                 \
  };
HEDDLE_FP8_TYPES(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
HEDDLE_FP8_TYPES(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef HEDDLE_FP8_TYPES
#undef HEDDLE_FP8_INTEGER

#pragma clang attribute pop
