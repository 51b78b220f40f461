// Warp-wide functions of kernels beside those of cuda_minimal.h: shuffles of other types, matches, reductions.
#pragma once

// ---- shuffles: whole numbers of 32 bits or less by the one for int, those of 64 bits in two halves

#define HEDDLE_SHUFFLE_BY(function, type, by)                                          \
  HEDDLE_INLINE type function(unsigned mask, type v, int lane, int width = warpSize) { \
    return (type)function(mask, (by)v, lane, width);                                   \
  }
#define HEDDLE_SHUFFLES(function)                                                                                  \
  HEDDLE_INLINE unsigned long long function(unsigned mask, unsigned long long v, int lane, int width = warpSize) { \
    const unsigned low = function(mask, (unsigned)v, lane, width);                                                 \
    return (unsigned long long)function(mask, (unsigned)(v >> 32), lane, width) << 32 | low;                       \
  }                                                                                                                \
  HEDDLE_SHUFFLE_BY(function, long long, unsigned long long)                                                       \
  HEDDLE_INLINE long function(unsigned mask, long v, int lane, int width = warpSize) {                             \
    return sizeof(long) == 4 ? (long)function(mask, (int)v, lane, width)                                           \
                             : (long)function(mask, (unsigned long long)v, lane, width);                           \
  }                                                                                                                \
  HEDDLE_SHUFFLE_BY(function, unsigned long, long)                                                                 \
  HEDDLE_INLINE double function(unsigned mask, double v, int lane, int width = warpSize) {                         \
    return __longlong_as_double(function(mask, __double_as_longlong(v), lane, width));                             \
  }

HEDDLE_SHUFFLES(__shfl_sync)
HEDDLE_SHUFFLES(__shfl_up_sync)
HEDDLE_SHUFFLES(__shfl_down_sync)
HEDDLE_SHUFFLES(__shfl_xor_sync)
#undef HEDDLE_SHUFFLES
#undef HEDDLE_SHUFFLE_BY

// ---- the forms of old programs, which name no lanes: those that are there

HEDDLE_INLINE unsigned __activemask() {
  unsigned mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
HEDDLE_INLINE unsigned __lanemask_lt() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

// ---- matches

HEDDLE_INLINE unsigned heddle_match_any(unsigned mask, unsigned value) {
  return __nvvm_match_any_sync_i32(mask, value);
}
HEDDLE_INLINE unsigned heddle_match_any(unsigned mask, unsigned long long value) {
  return (unsigned)__nvvm_match_any_sync_i64(mask, value);
}
HEDDLE_INLINE unsigned heddle_match_all(unsigned mask, unsigned value, int* all) {
  return __nvvm_match_all_sync_i32p(mask, value, all);
}
HEDDLE_INLINE unsigned heddle_match_all(unsigned mask, unsigned long long value, int* all) {
  return (unsigned)__nvvm_match_all_sync_i64p(mask, value, all);
}
#define HEDDLE_MATCH(type, bits)                                                 \
  HEDDLE_INLINE unsigned __match_any_sync(unsigned mask, type value) {           \
    return heddle_match_any(mask, __builtin_bit_cast(bits, value));              \
  }                                                                              \
  HEDDLE_INLINE unsigned __match_all_sync(unsigned mask, type value, int* all) { \
    return heddle_match_all(mask, __builtin_bit_cast(bits, value), all);         \
  }
HEDDLE_MATCH(int, unsigned)
HEDDLE_MATCH(unsigned, unsigned)
HEDDLE_MATCH(float, unsigned)
HEDDLE_MATCH(long long, unsigned long long)
HEDDLE_MATCH(unsigned long long, unsigned long long)
HEDDLE_MATCH(double, unsigned long long)
#if __SIZEOF_POINTER__ == 8
HEDDLE_MATCH(long, unsigned long long)
HEDDLE_MATCH(unsigned long, unsigned long long)
#endif
#undef HEDDLE_MATCH

// ---- reductions, which are instructions from compute capability 8.0 on; here every lane is asked in turn

#define HEDDLE_REDUCE(name, type, combined)                              \
  HEDDLE_INLINE type __reduce_##name##_sync(unsigned mask, type value) { \
    type result = __shfl_sync(mask, value, __ffs((int)mask) - 1);        \
    for (unsigned left = mask & (mask - 1); left; left &= left - 1) {    \
      const type other = __shfl_sync(mask, value, __ffs((int)left) - 1); \
      result = combined;                                                 \
    }                                                                    \
    return result;                                                       \
  }
HEDDLE_REDUCE(add, int, result + other)
HEDDLE_REDUCE(add, unsigned, result + other)
HEDDLE_REDUCE(min, int, min(result, other))
HEDDLE_REDUCE(min, unsigned, min(result, other))
HEDDLE_REDUCE(max, int, max(result, other))
HEDDLE_REDUCE(max, unsigned, max(result, other))
HEDDLE_REDUCE(and, unsigned, result& other)
HEDDLE_REDUCE(or, unsigned, result | other)
HEDDLE_REDUCE(xor, unsigned, result ^ other)
#undef HEDDLE_REDUCE
