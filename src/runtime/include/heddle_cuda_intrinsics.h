// Functions of kernels that are an instruction or a few: bits, conversions, arithmetic with a rounding of its own,
// loads and stores with hints (which are plain ones here), clocks. Beside what cuda_minimal.h has of them.
#pragma once

// ---- whole numbers and bits

HEDDLE_INLINE long labs(long a) { return a < 0 ? -a : a; }
HEDDLE_INLINE long long llabs(long long a) { return a < 0 ? -a : a; }
HEDDLE_INLINE int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
HEDDLE_INLINE int __clzll(long long a) { return a == 0 ? 64 : __builtin_clzll((unsigned long long)a); }
HEDDLE_INLINE int __ffsll(long long a) { return __builtin_ffsll(a); }
HEDDLE_INLINE unsigned long long __brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
HEDDLE_INLINE long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
HEDDLE_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return __nvvm_mulhi_ull(a, b);
}
HEDDLE_INLINE int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
HEDDLE_INLINE unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
HEDDLE_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) {
  return by >= 32 ? low : __funnelshift_l(low, high, by);
}
HEDDLE_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
  return by >= 32 ? high : __funnelshift_r(low, high, by);
}
HEDDLE_INLINE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
HEDDLE_INLINE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
HEDDLE_INLINE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
HEDDLE_INLINE unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
HEDDLE_INLINE unsigned __sad(int a, int b, unsigned c) {
  return c + (unsigned)(a > b ? (unsigned)a - b : (unsigned)b - a);
}
HEDDLE_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }

HEDDLE_INLINE int __dp4a(int a, int b, int c) {
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(c) : "r"(a), "r"(b), "r"(c));
  return c;
}
HEDDLE_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(c) : "r"(a), "r"(b), "r"(c));
  return c;
}
HEDDLE_INLINE int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
HEDDLE_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}

// The n-th bit set of a mask, counted from a place on, upwards or downwards.
HEDDLE_INLINE unsigned __fns(unsigned mask, unsigned base, int offset) {
  const int step = offset < 0 ? -1 : 1;
  int left = offset < 0 ? -offset : offset;
  if (left == 0) return mask >> base & 1 ? base : ~0u;
  for (int at = (int)base; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --left == 0) return (unsigned)at;
  return ~0u;
}

// ---- bits as numbers

HEDDLE_INLINE int __double2hiint(double a) { return (int)(__double_as_longlong(a) >> 32); }
HEDDLE_INLINE int __double2loint(double a) { return (int)__double_as_longlong(a); }
HEDDLE_INLINE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)high << 32 | (unsigned)low);
}

// ---- conversions: to whole numbers, to floating point, from double to float; each in four roundings

#define HEDDLE_CONVERSION(name, result, source, instruction, out, in) \
  HEDDLE_INLINE result name(source a) {                               \
    result value;                                                     \
    asm(instruction " %0, %1;" : out(value) : in(a));                 \
    return value;                                                     \
  }
#define HEDDLE_CONVERSIONS(name, result, source, before, after, out, in, whole)       \
  HEDDLE_CONVERSION(name##_rn, result, source, before ".rn" whole "." after, out, in) \
  HEDDLE_CONVERSION(name##_rz, result, source, before ".rz" whole "." after, out, in) \
  HEDDLE_CONVERSION(name##_rd, result, source, before ".rm" whole "." after, out, in) \
  HEDDLE_CONVERSION(name##_ru, result, source, before ".rp" whole "." after, out, in)

HEDDLE_CONVERSIONS(__float2ll, long long, float, "cvt", "s64.f32", "=l", "f", "i")
HEDDLE_CONVERSIONS(__float2ull, unsigned long long, float, "cvt", "u64.f32", "=l", "f", "i")
HEDDLE_CONVERSIONS(__double2int, int, double, "cvt", "s32.f64", "=r", "d", "i")
HEDDLE_CONVERSIONS(__double2uint, unsigned, double, "cvt", "u32.f64", "=r", "d", "i")
HEDDLE_CONVERSIONS(__double2ll, long long, double, "cvt", "s64.f64", "=l", "d", "i")
HEDDLE_CONVERSIONS(__double2ull, unsigned long long, double, "cvt", "u64.f64", "=l", "d", "i")
HEDDLE_CONVERSIONS(__double2float, float, double, "cvt", "f32.f64", "=f", "d", "")
HEDDLE_CONVERSIONS(__int2float, float, int, "cvt", "f32.s32", "=f", "r", "")
HEDDLE_CONVERSIONS(__uint2float, float, unsigned, "cvt", "f32.u32", "=f", "r", "")
HEDDLE_CONVERSIONS(__ll2float, float, long long, "cvt", "f32.s64", "=f", "l", "")
HEDDLE_CONVERSIONS(__ull2float, float, unsigned long long, "cvt", "f32.u64", "=f", "l", "")
HEDDLE_CONVERSIONS(__ll2double, double, long long, "cvt", "f64.s64", "=d", "l", "")
HEDDLE_CONVERSIONS(__ull2double, double, unsigned long long, "cvt", "f64.u64", "=d", "l", "")
HEDDLE_CONVERSION(__float2uint_rd, unsigned, float, "cvt.rmi.u32.f32", "=r", "f")
HEDDLE_CONVERSION(__float2uint_ru, unsigned, float, "cvt.rpi.u32.f32", "=r", "f")
HEDDLE_INLINE double __int2double_rn(int a) { return a; }
HEDDLE_INLINE double __uint2double_rn(unsigned a) { return a; }

// ---- arithmetic with a rounding of its own

#define HEDDLE_ROUNDED_2(name, type, instruction, c)         \
  HEDDLE_INLINE type name(type a, type b) {                  \
    asm(instruction " %0, %1, %2;" : "=" c(a) : c(a), c(b)); \
    return a;                                                \
  }
#define HEDDLE_ROUNDED_3(name, type, instruction, c)                    \
  HEDDLE_INLINE type name(type a, type b, type by) {                    \
    asm(instruction " %0, %1, %2, %3;" : "=" c(a) : c(a), c(b), c(by)); \
    return a;                                                           \
  }
#define HEDDLE_ROUNDED_IN(suffix, rounding)                                               \
  HEDDLE_ROUNDED_2(__dadd_##suffix, double, "add." rounding ".f64", "d")                  \
  HEDDLE_ROUNDED_2(__dsub_##suffix, double, "sub." rounding ".f64", "d")                  \
  HEDDLE_ROUNDED_2(__dmul_##suffix, double, "mul." rounding ".f64", "d")                  \
  HEDDLE_ROUNDED_2(__ddiv_##suffix, double, "div." rounding ".f64", "d")                  \
  HEDDLE_ROUNDED_3(__fma_##suffix, double, "fma." rounding ".f64", "d")                   \
  HEDDLE_CONVERSION(__dsqrt_##suffix, double, double, "sqrt." rounding ".f64", "=d", "d") \
  HEDDLE_CONVERSION(__drcp_##suffix, double, double, "rcp." rounding ".f64", "=d", "d")
#define HEDDLE_ROUNDED_FLOAT_IN(suffix, rounding)                                       \
  HEDDLE_ROUNDED_2(__fadd_##suffix, float, "add." rounding ".f32", "f")                 \
  HEDDLE_ROUNDED_2(__fsub_##suffix, float, "sub." rounding ".f32", "f")                 \
  HEDDLE_ROUNDED_2(__fmul_##suffix, float, "mul." rounding ".f32", "f")                 \
  HEDDLE_ROUNDED_2(__fdiv_##suffix, float, "div." rounding ".f32", "f")                 \
  HEDDLE_ROUNDED_3(__fmaf_##suffix, float, "fma." rounding ".f32", "f")                 \
  HEDDLE_CONVERSION(__fsqrt_##suffix, float, float, "sqrt." rounding ".f32", "=f", "f") \
  HEDDLE_CONVERSION(__frcp_##suffix, float, float, "rcp." rounding ".f32", "=f", "f")
HEDDLE_ROUNDED_IN(rn, "rn")
HEDDLE_ROUNDED_IN(rz, "rz")
HEDDLE_ROUNDED_IN(rd, "rm")
HEDDLE_ROUNDED_IN(ru, "rp")
HEDDLE_ROUNDED_FLOAT_IN(rz, "rz")
HEDDLE_ROUNDED_FLOAT_IN(rd, "rm")
HEDDLE_ROUNDED_FLOAT_IN(ru, "rp")
#undef HEDDLE_ROUNDED_FLOAT_IN
#undef HEDDLE_ROUNDED_IN
#undef HEDDLE_ROUNDED_3
#undef HEDDLE_ROUNDED_2
#undef HEDDLE_CONVERSIONS
#undef HEDDLE_CONVERSION

// ---- minima and maxima, of all pairs that programs mix; on the host too

#define HEDDLE_EXTREMES(where, type, other, result)                                                         \
  static inline where result min(type a, other b) { return (result)a < (result)b ? (result)a : (result)b; } \
  static inline where result max(type a, other b) { return (result)a > (result)b ? (result)a : (result)b; }
#define HEDDLE_EXTREMES_MIXED(where)                                                 \
  HEDDLE_EXTREMES(where, int, unsigned, unsigned)                                    \
  HEDDLE_EXTREMES(where, unsigned, int, unsigned)                                    \
  HEDDLE_EXTREMES(where, long, long, long)                                           \
  HEDDLE_EXTREMES(where, unsigned long, unsigned long, unsigned long)                \
  HEDDLE_EXTREMES(where, long, unsigned long, unsigned long)                         \
  HEDDLE_EXTREMES(where, unsigned long, long, unsigned long)                         \
  HEDDLE_EXTREMES(where, unsigned long long, unsigned long long, unsigned long long) \
  HEDDLE_EXTREMES(where, long long, unsigned long long, unsigned long long)          \
  HEDDLE_EXTREMES(where, unsigned long long, long long, unsigned long long)
HEDDLE_EXTREMES_MIXED(__device__)
HEDDLE_EXTREMES_MIXED(__host__)
HEDDLE_EXTREMES(__host__, int, int, int)
HEDDLE_EXTREMES(__host__, unsigned, unsigned, unsigned)
HEDDLE_EXTREMES(__host__, long long, long long, long long)
#undef HEDDLE_EXTREMES_MIXED
#undef HEDDLE_EXTREMES
HEDDLE_INLINE float min(float a, float b) { return fminf(a, b); }
HEDDLE_INLINE float max(float a, float b) { return fmaxf(a, b); }
HEDDLE_INLINE double min(double a, double b) { return __builtin_fmin(a, b); }
HEDDLE_INLINE double max(double a, double b) { return __builtin_fmax(a, b); }
HEDDLE_INLINE double min(float a, double b) { return __builtin_fmin(a, b); }
HEDDLE_INLINE double max(float a, double b) { return __builtin_fmax(a, b); }
HEDDLE_INLINE double min(double a, float b) { return __builtin_fmin(a, b); }
HEDDLE_INLINE double max(double a, float b) { return __builtin_fmax(a, b); }
static inline __host__ float min(float a, float b) { return __builtin_fminf(a, b); }
static inline __host__ float max(float a, float b) { return __builtin_fmaxf(a, b); }
static inline __host__ double min(double a, double b) { return __builtin_fmin(a, b); }
static inline __host__ double max(double a, double b) { return __builtin_fmax(a, b); }
static inline __host__ double min(float a, double b) { return __builtin_fmin(a, b); }
static inline __host__ double max(float a, double b) { return __builtin_fmax(a, b); }
static inline __host__ double min(double a, float b) { return __builtin_fmin(a, b); }
static inline __host__ double max(double a, float b) { return __builtin_fmax(a, b); }
HEDDLE_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
HEDDLE_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
HEDDLE_INLINE long long llmin(long long a, long long b) { return min(a, b); }
HEDDLE_INLINE long long llmax(long long a, long long b) { return max(a, b); }
HEDDLE_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
HEDDLE_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
static inline __host__ float rsqrtf(float a) { return 1.0f / __builtin_sqrtf(a); }
static inline __host__ double rsqrt(double a) { return 1.0 / __builtin_sqrt(a); }

// ---- loads and stores that hint at caches

#define HEDDLE_HINTED_LOAD(name)     \
  template <class T>                 \
  HEDDLE_INLINE T name(const T* p) { \
    return *p;                       \
  }
#define HEDDLE_HINTED_STORE(name)                 \
  template <class T, class V>                     \
  HEDDLE_INLINE void name(T* p, const V& value) { \
    *p = value;                                   \
  }
HEDDLE_HINTED_LOAD(__ldg)
HEDDLE_HINTED_LOAD(__ldcg)
HEDDLE_HINTED_LOAD(__ldca)
HEDDLE_HINTED_LOAD(__ldcs)
HEDDLE_HINTED_LOAD(__ldlu)
HEDDLE_HINTED_STORE(__stwb)
HEDDLE_HINTED_STORE(__stcg)
HEDDLE_HINTED_STORE(__stcs)
HEDDLE_HINTED_STORE(__stwt)
#undef HEDDLE_HINTED_STORE
#undef HEDDLE_HINTED_LOAD
template <class T>
HEDDLE_INLINE T __ldcv(const T* p) {
  asm volatile("" ::: "memory");  // what others have written meanwhile
  return *p;
}

// ---- clocks, and the rest

HEDDLE_INLINE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
HEDDLE_INLINE clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
HEDDLE_INLINE unsigned long long __globaltimer() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}
HEDDLE_INLINE void __nanosleep(unsigned time) { asm volatile("nanosleep.u32 %0;" ::"r"(time)); }
HEDDLE_INLINE void __trap() { asm volatile("trap;"); }
HEDDLE_INLINE void __brkpt() { asm volatile("brkpt;"); }
HEDDLE_INLINE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }
HEDDLE_INLINE unsigned __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
HEDDLE_INLINE unsigned __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
HEDDLE_INLINE size_t __cvta_generic_to_shared(const void* p) {
  return (size_t)(__attribute__((address_space(3))) const void*)p;
}
HEDDLE_INLINE size_t __cvta_generic_to_global(const void* p) {
  return (size_t)(__attribute__((address_space(1))) const void*)p;
}
HEDDLE_INLINE void* __cvta_shared_to_generic(size_t p) { return (void*)(__attribute__((address_space(3))) void*)p; }
HEDDLE_INLINE void* __cvta_global_to_generic(size_t p) { return (void*)(__attribute__((address_space(1))) void*)p; }
