// What cuda_fp16.h and cuda_bf16.h share: rounding to a small format, and all functions that go by way of float, made
// for a type and its pair by HEDDLE_SMALL_FLOAT.
//
// A sum, a product, a quotient and a root of two numbers of a small format, computed as float and rounded once more,
// are the nearest: float has more than twice their bits.
#pragma once

#include "cuda_runtime.h"

#define HEDDLE_SMALL static inline __host__ __device__

enum HeddleRounding { kHeddleNearest, kHeddleToZero, kHeddleDown, kHeddleUp };

// On the host: the bits of a in a format with so many bits of mantissa and so much bias.
static inline __host__ unsigned short heddle_small_bits(double a, int mantissa, int bias, HeddleRounding rounding) {
  const unsigned sign = std::signbit(a) ? 0x8000 : 0, infinity = (2u * bias + 1) << mantissa;
  if (a != a) return 0x7fff;
  const double size = std::fabs(a);
  if (size == 0.0 || std::isinf(size)) return (unsigned short)(sign | (size == 0.0 ? 0 : infinity));
  const int exponent = std::max(std::ilogb(size), 1 - bias);
  const bool away = rounding == (sign ? kHeddleDown : kHeddleUp);
  const double steps = std::ldexp(size, mantissa - std::min(exponent, bias + 1));
  const double whole = rounding == kHeddleNearest ? std::nearbyint(steps) : away ? std::ceil(steps) : std::floor(steps);
  const double bits = whole + std::ldexp(std::min(exponent, bias + 1) + bias - 1, mantissa);
  const bool stays = rounding != kHeddleNearest && !away;
  return (unsigned short)(sign | (bits < infinity ? (unsigned)bits : stays ? infinity - 1 : infinity));
}

// a + b whose last bit says whether something was lost: rounded once more, it is rounded as the exact sum.
HEDDLE_SMALL double heddle_odd_sum(double a, double b) {
  const double sum = a + b, part = sum - a, lost = (a - (sum - part)) + (b - part);
  long long bits = __builtin_bit_cast(long long, sum);
  if (sum - sum == 0.0 && lost != 0.0 && !(bits & 1)) bits += (lost > 0.0) == (sum > 0.0) ? 1 : -1;
  return __builtin_bit_cast(double, bits);
}
HEDDLE_INLINE float heddle_odd_float(double a) {  // and so for the way from double to a small format by way of float
  const float cut = __double2float_rz(a);
  return (double)cut == a || a - a != 0.0 ? cut : __int_as_float(__float_as_int(cut) | 1);
}

// ---- functions of one number, and those of pairs by both halves

#define HEDDLE_SMALL_ONE(type, pair, name, value) \
  HEDDLE_INLINE type h##name(type of) {           \
    const float a = (float)of;                    \
    return type(value);                           \
  }                                               \
  HEDDLE_INLINE pair h2##name(pair a) { return pair(h##name(a.x), h##name(a.y)); }

#define HEDDLE_SMALL_MATH(type, pair)                                 \
  HEDDLE_SMALL_ONE(type, pair, sqrt, sqrtf(a))                        \
  HEDDLE_SMALL_ONE(type, pair, rsqrt, (float)(1.0 / sqrt((double)a))) \
  HEDDLE_SMALL_ONE(type, pair, rcp, 1.0f / a)                         \
  HEDDLE_SMALL_ONE(type, pair, exp, expf(a))                          \
  HEDDLE_SMALL_ONE(type, pair, exp2, exp2f(a))                        \
  HEDDLE_SMALL_ONE(type, pair, exp10, exp10f(a))                      \
  HEDDLE_SMALL_ONE(type, pair, log, logf(a))                          \
  HEDDLE_SMALL_ONE(type, pair, log2, log2f(a))                        \
  HEDDLE_SMALL_ONE(type, pair, log10, log10f(a))                      \
  HEDDLE_SMALL_ONE(type, pair, sin, sinf(a))                          \
  HEDDLE_SMALL_ONE(type, pair, cos, cosf(a))                          \
  HEDDLE_SMALL_ONE(type, pair, tanh, tanhf(a))                        \
  HEDDLE_SMALL_ONE(type, pair, tanh_approx, tanhf(a))                 \
  HEDDLE_SMALL_ONE(type, pair, ceil, ceilf(a))                        \
  HEDDLE_SMALL_ONE(type, pair, floor, floorf(a))                      \
  HEDDLE_SMALL_ONE(type, pair, rint, rintf(a))                        \
  HEDDLE_SMALL_ONE(type, pair, trunc, truncf(a))

// ---- comparisons: of pairs as numbers (1 or 0), as masks, and for both

#define HEDDLE_SMALL_COMPARISON(type, pair, name, compare)                                               \
  HEDDLE_SMALL bool __h##name(type one, type other) {                                                    \
    const float a = (float)one, b = (float)other;                                                        \
    return compare;                                                                                      \
  }                                                                                                      \
  HEDDLE_SMALL pair __h##name##2(pair a, pair b) {                                                       \
    return pair(type(__h##name(a.x, b.x) ? 1.0f : 0.0f), type(__h##name(a.y, b.y) ? 1.0f : 0.0f));       \
  }                                                                                                      \
  HEDDLE_SMALL bool __hb##name##2(pair a, pair b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  HEDDLE_SMALL unsigned __h##name##2_mask(pair a, pair b) {                                              \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);              \
  }
#define HEDDLE_SMALL_COMPARISONS(type, pair)                  \
  HEDDLE_SMALL_COMPARISON(type, pair, eq, a == b)             \
  HEDDLE_SMALL_COMPARISON(type, pair, ne, a<b || a> b)        \
  HEDDLE_SMALL_COMPARISON(type, pair, lt, a < b)              \
  HEDDLE_SMALL_COMPARISON(type, pair, le, a <= b)             \
  HEDDLE_SMALL_COMPARISON(type, pair, gt, a > b)              \
  HEDDLE_SMALL_COMPARISON(type, pair, ge, a >= b)             \
  HEDDLE_SMALL_COMPARISON(type, pair, equ, !(a < b || a > b)) \
  HEDDLE_SMALL_COMPARISON(type, pair, neu, a != b)            \
  HEDDLE_SMALL_COMPARISON(type, pair, ltu, !(a >= b))         \
  HEDDLE_SMALL_COMPARISON(type, pair, leu, !(a > b))          \
  HEDDLE_SMALL_COMPARISON(type, pair, gtu, !(a <= b))         \
  HEDDLE_SMALL_COMPARISON(type, pair, geu, !(a < b))

// ---- arithmetic on top of what the type has: heddle_add, heddle_sub, heddle_mul, heddle_fma of it and of its pair

#define HEDDLE_SMALL_BOTH(type, pair, name, from)                                           \
  HEDDLE_SMALL type name(type a, type b) { return heddle_##from(a, b); }                    \
  HEDDLE_SMALL type name##_rn(type a, type b) { return heddle_##from(a, b); }               \
  HEDDLE_SMALL type name##_sat(type a, type b) { return heddle_unit(heddle_##from(a, b)); } \
  HEDDLE_SMALL pair name##2(pair a, pair b) { return heddle_##from(a, b); }                 \
  HEDDLE_SMALL pair name##2_rn(pair a, pair b) { return heddle_##from(a, b); }              \
  HEDDLE_SMALL pair name##2_sat(pair a, pair b) { return heddle_unit(heddle_##from(a, b)); }

#define HEDDLE_SMALL_ARITHMETIC(type, pair)                                                                    \
  HEDDLE_SMALL type heddle_unit(type a) {                                                                      \
    const float value = (float)a;                                                                              \
    return value > 1.0f ? type(1.0f) : value > 0.0f ? a : type(0.0f);                                          \
  }                                                                                                            \
  HEDDLE_SMALL pair heddle_unit(pair a) { return pair(heddle_unit(a.x), heddle_unit(a.y)); }                   \
  HEDDLE_SMALL_BOTH(type, pair, __hadd, add)                                                                   \
  HEDDLE_SMALL_BOTH(type, pair, __hsub, sub)                                                                   \
  HEDDLE_SMALL_BOTH(type, pair, __hmul, mul)                                                                   \
  HEDDLE_SMALL type __hdiv(type a, type b) { return type((float)a / (float)b); }                               \
  HEDDLE_SMALL pair __h2div(pair a, pair b) { return pair(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }               \
  HEDDLE_SMALL type __hfma(type a, type b, type c) { return heddle_fma(a, b, c); }                             \
  HEDDLE_SMALL pair __hfma2(pair a, pair b, pair c) { return heddle_fma(a, b, c); }                            \
  HEDDLE_SMALL type __hfma_sat(type a, type b, type c) { return heddle_unit(heddle_fma(a, b, c)); }            \
  HEDDLE_SMALL pair __hfma2_sat(pair a, pair b, pair c) { return heddle_unit(heddle_fma(a, b, c)); }           \
  HEDDLE_SMALL type __hneg(type a) { return type::of_bits(a.bits() ^ 0x8000); }                                \
  HEDDLE_SMALL type __habs(type a) { return type::of_bits(a.bits() & 0x7fff); }                                \
  HEDDLE_SMALL pair __hneg2(pair a) { return pair(__hneg(a.x), __hneg(a.y)); }                                 \
  HEDDLE_SMALL pair __habs2(pair a) { return pair(__habs(a.x), __habs(a.y)); }                                 \
  HEDDLE_SMALL bool __hisnan(type a) { return (float)a != (float)a; }                                          \
  HEDDLE_SMALL pair __hisnan2(pair a) { return pair(type(float(__hisnan(a.x))), type(float(__hisnan(a.y)))); } \
  HEDDLE_SMALL int __hisinf(type a) {                                                                          \
    const float value = (float)a;                                                                              \
    return value == __builtin_inff() ? 1 : value == -__builtin_inff() ? -1 : 0;                                \
  }                                                                                                            \
  HEDDLE_SMALL type __hmax(type a, type b) { return type(__builtin_fmaxf((float)a, (float)b)); }               \
  HEDDLE_SMALL type __hmin(type a, type b) { return type(__builtin_fminf((float)a, (float)b)); }               \
  HEDDLE_SMALL type __hmax_nan(type a, type b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }    \
  HEDDLE_SMALL type __hmin_nan(type a, type b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }    \
  HEDDLE_SMALL pair __hmax2(pair a, pair b) { return pair(__hmax(a.x, b.x), __hmax(a.y, b.y)); }               \
  HEDDLE_SMALL pair __hmin2(pair a, pair b) { return pair(__hmin(a.x, b.x), __hmin(a.y, b.y)); }               \
  HEDDLE_SMALL type __hfma_relu(type a, type b, type c) { return __hmax(heddle_fma(a, b, c), type(0.0f)); }

// ---- the operators of the language

#define HEDDLE_SMALL_OPERATOR(type, pair, sign, name, name2)                             \
  HEDDLE_SMALL type operator sign(const type& a, const type& b) { return name(a, b); }   \
  HEDDLE_SMALL type& operator sign##=(type& a, const type& b) { return a = name(a, b); } \
  HEDDLE_SMALL pair operator sign(const pair& a, const pair& b) { return name2(a, b); }  \
  HEDDLE_SMALL pair& operator sign##=(pair& a, const pair& b) { return a = name2(a, b); }
#define HEDDLE_SMALL_RELATION(type, pair, sign, name)                                       \
  HEDDLE_SMALL bool operator sign(const type& a, const type& b) { return __h##name(a, b); } \
  HEDDLE_SMALL bool operator sign(const pair& a, const pair& b) { return __hb##name##2(a, b); }
#define HEDDLE_SMALL_OPERATORS(type, pair)                                     \
  HEDDLE_SMALL_OPERATOR(type, pair, +, __hadd, __hadd2)                        \
  HEDDLE_SMALL_OPERATOR(type, pair, -, __hsub, __hsub2)                        \
  HEDDLE_SMALL_OPERATOR(type, pair, *, __hmul, __hmul2)                        \
  HEDDLE_SMALL_OPERATOR(type, pair, /, __hdiv, __h2div)                        \
  HEDDLE_SMALL_RELATION(type, pair, ==, eq)                                    \
  HEDDLE_SMALL_RELATION(type, pair, !=, neu)                                   \
  HEDDLE_SMALL_RELATION(type, pair, <, lt)                                     \
  HEDDLE_SMALL_RELATION(type, pair, <=, le)                                    \
  HEDDLE_SMALL_RELATION(type, pair, >, gt)                                     \
  HEDDLE_SMALL_RELATION(type, pair, >=, ge)                                    \
  HEDDLE_SMALL type operator-(const type& a) { return __hneg(a); }             \
  HEDDLE_SMALL type operator+(const type& a) { return a; }                     \
  HEDDLE_SMALL pair operator-(const pair& a) { return __hneg2(a); }            \
  HEDDLE_SMALL pair operator+(const pair& a) { return a; }                     \
  HEDDLE_SMALL type& operator++(type& a) { return a = __hadd(a, type(1.0f)); } \
  HEDDLE_SMALL type& operator--(type& a) { return a = __hsub(a, type(1.0f)); } \
  HEDDLE_SMALL type operator++(type& a, int) {                                 \
    const type old = a;                                                        \
    ++a;                                                                       \
    return old;                                                                \
  }                                                                            \
  HEDDLE_SMALL type operator--(type& a, int) {                                 \
    const type old = a;                                                        \
    --a;                                                                       \
    return old;                                                                \
  }

// ---- across a warp, and in memory

#define HEDDLE_SMALL_SHUFFLE(type, pair, name, lanes)                                          \
  HEDDLE_INLINE type name(unsigned mask, type v, lanes lane, int width = warpSize) {           \
    return type::of_bits((unsigned short)name(mask, (int)v.bits(), (int)lane, width));         \
  }                                                                                            \
  HEDDLE_INLINE pair name(unsigned mask, pair v, lanes lane, int width = warpSize) {           \
    return __builtin_bit_cast(pair, name(mask, __builtin_bit_cast(int, v), (int)lane, width)); \
  }
#define HEDDLE_SMALL_ACROSS(type, pair)                                                      \
  HEDDLE_SMALL_SHUFFLE(type, pair, __shfl_sync, int)                                         \
  HEDDLE_SMALL_SHUFFLE(type, pair, __shfl_up_sync, unsigned)                                 \
  HEDDLE_SMALL_SHUFFLE(type, pair, __shfl_down_sync, unsigned)                               \
  HEDDLE_SMALL_SHUFFLE(type, pair, __shfl_xor_sync, int)                                     \
  HEDDLE_INLINE pair atomicAdd(pair* p, pair v) {                                            \
    unsigned expected = *(volatile unsigned*)p, found;                                       \
    for (;; expected = found) {                                                              \
      const pair sum = __builtin_bit_cast(pair, expected) + v;                               \
      found = atomicCAS((unsigned*)p, expected, __builtin_bit_cast(unsigned, sum));          \
      if (found == expected) return __builtin_bit_cast(pair, found);                         \
    }                                                                                        \
  }                                                                                          \
  HEDDLE_INLINE type atomicAdd(type* p, type v) {                                            \
    unsigned short expected = *(volatile unsigned short*)p, found;                           \
    for (;; expected = found) {                                                              \
      found = atomicCAS((unsigned short*)p, expected, (type::of_bits(expected) + v).bits()); \
      if (found == expected) return type::of_bits(found);                                    \
    }                                                                                        \
  }

// ---- pairs: of one number, of two, of the low and the high halves of others

#define HEDDLE_SMALL_PAIRS(type, pair, word)                                     \
  HEDDLE_SMALL pair __##word##2##word##2(type a) { return pair(a, a); }          \
  HEDDLE_SMALL pair __low2##word##2(pair a) { return pair(a.x, a.x); }           \
  HEDDLE_SMALL pair __high2##word##2(pair a) { return pair(a.y, a.y); }          \
  HEDDLE_SMALL pair __lows2##word##2(pair a, pair b) { return pair(a.x, b.x); }  \
  HEDDLE_SMALL pair __highs2##word##2(pair a, pair b) { return pair(a.y, b.y); } \
  HEDDLE_SMALL type __low2##word(pair a) { return a.x; }                         \
  HEDDLE_SMALL type __high2##word(pair a) { return a.y; }                        \
  HEDDLE_SMALL float __low2float(pair a) { return (float)a.x; }                  \
  HEDDLE_SMALL float __high2float(pair a) { return (float)a.y; }                 \
  HEDDLE_SMALL pair __lowhigh2highlow(pair a) { return pair(a.y, a.x); }

#define HEDDLE_SMALL_FLOAT(type, pair, word) \
  HEDDLE_SMALL_COMPARISONS(type, pair)       \
  HEDDLE_SMALL_ARITHMETIC(type, pair)        \
  HEDDLE_SMALL_OPERATORS(type, pair)         \
  HEDDLE_SMALL_MATH(type, pair)              \
  HEDDLE_SMALL_ACROSS(type, pair)            \
  HEDDLE_SMALL_PAIRS(type, pair, word)

// ---- whole numbers: to them as conversions of a float, from them in four roundings by NAME(double, rounding)

#define HEDDLE_SMALL_TO_WHOLE(type, word, name, integer, by)                                            \
  HEDDLE_INLINE integer __##word##2##name##_rn(type a) { return (integer)__float2##by##_rn((float)a); } \
  HEDDLE_INLINE integer __##word##2##name##_rz(type a) { return (integer)__float2##by##_rz((float)a); } \
  HEDDLE_INLINE integer __##word##2##name##_rd(type a) { return (integer)__float2##by##_rd((float)a); } \
  HEDDLE_INLINE integer __##word##2##name##_ru(type a) { return (integer)__float2##by##_ru((float)a); }
#define HEDDLE_SMALL_FROM_WHOLE(type, word, name, integer)                                                 \
  HEDDLE_SMALL type __##name##2##word##_rn(integer a) { return type::rounded((double)a, kHeddleNearest); } \
  HEDDLE_SMALL type __##name##2##word##_rz(integer a) { return type::rounded((double)a, kHeddleToZero); }  \
  HEDDLE_SMALL type __##name##2##word##_rd(integer a) { return type::rounded((double)a, kHeddleDown); }    \
  HEDDLE_SMALL type __##name##2##word##_ru(integer a) { return type::rounded((double)a, kHeddleUp); }
#define HEDDLE_SMALL_WHOLE(type, word)                            \
  HEDDLE_SMALL_TO_WHOLE(type, word, int, int, int)                \
  HEDDLE_SMALL_TO_WHOLE(type, word, uint, unsigned, uint)         \
  HEDDLE_SMALL_TO_WHOLE(type, word, short, short, int)            \
  HEDDLE_SMALL_TO_WHOLE(type, word, ushort, unsigned short, uint) \
  HEDDLE_SMALL_TO_WHOLE(type, word, ll, long long, ll)            \
  HEDDLE_SMALL_TO_WHOLE(type, word, ull, unsigned long long, ull) \
  HEDDLE_SMALL_FROM_WHOLE(type, word, int, int)                   \
  HEDDLE_SMALL_FROM_WHOLE(type, word, uint, unsigned)             \
  HEDDLE_SMALL_FROM_WHOLE(type, word, short, short)               \
  HEDDLE_SMALL_FROM_WHOLE(type, word, ushort, unsigned short)     \
  HEDDLE_SMALL_FROM_WHOLE(type, word, ll, long long)              \
  HEDDLE_SMALL_FROM_WHOLE(type, word, ull, unsigned long long)
