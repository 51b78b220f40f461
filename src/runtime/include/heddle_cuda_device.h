// What kernels of whole programs use beside cuda_minimal.h: printf, assert, sums over doubles, votes by mask; and on
// the host, small vectors.
#pragma once

#include <stdlib.h>

#include "heddle_cuda_structures.h"

extern "C" {
__device__ void* malloc(size_t bytes);
__device__ void free(void* pointer);
__device__ int printf(const char* format, ...);
__device__ void __assertfail(const char* expression, const char* file, unsigned line, const char* function,
                             size_t char_size) __attribute__((noreturn));
}

// What glibc's assert calls; noreturn as there.
extern "C" __device__ inline void __assert_fail(const char* expression, const char* file, unsigned line,
                                                const char* function) noexcept {
  __assertfail(expression, file, line, function, 1);
}

HEDDLE_INLINE double atomicAdd(double* p, double v) {
  double old;
  asm volatile("atom.add.f64 %0, [%1], %2;" : "=d"(old) : "l"((unsigned long long)p), "d"(v) : "memory");
  return old;
}
HEDDLE_INLINE unsigned atomicDec(unsigned* p, unsigned limit) { return __nvvm_atom_dec_gen_ui(p, limit); }
HEDDLE_INLINE int atomicAnd(int* p, int v) { return __nvvm_atom_and_gen_i(p, v); }
HEDDLE_INLINE int atomicXor(int* p, int v) { return __nvvm_atom_xor_gen_i(p, v); }
HEDDLE_INLINE unsigned long long atomicCAS(unsigned long long* p, unsigned long long expected, unsigned long long v) {
  return (unsigned long long)__nvvm_atom_cas_gen_ll((long long*)p, (long long)expected, (long long)v);
}
HEDDLE_INLINE float atomicExch(float* p, float v) { return __int_as_float(atomicExch((int*)p, __float_as_int(v))); }

HEDDLE_INLINE int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
HEDDLE_INLINE unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
HEDDLE_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
HEDDLE_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
HEDDLE_INLINE float min(float a, float b) { return fminf(a, b); }
HEDDLE_INLINE float max(float a, float b) { return fmaxf(a, b); }
HEDDLE_INLINE double min(double a, double b) { return __builtin_fmin(a, b); }
HEDDLE_INLINE double max(double a, double b) { return __builtin_fmax(a, b); }
template <class T>
HEDDLE_INLINE T __ldg(const T* p) {
  return *p;
}

HEDDLE_INLINE unsigned __activemask() {
  unsigned mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
HEDDLE_INLINE unsigned __match_any_sync(unsigned mask, unsigned value) {
  return __nvvm_match_any_sync_i32(mask, value);
}
HEDDLE_INLINE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }
HEDDLE_INLINE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
HEDDLE_INLINE void __trap() { asm volatile("trap;"); }

#define HEDDLE_HOST_VECTORS(type, element)                                                             \
  static inline __host__ type##2 make_##type##2(element x, element y) { return {x, y}; }               \
  static inline __host__ type##3 make_##type##3(element x, element y, element z) { return {x, y, z}; } \
  static inline __host__ type##4 make_##type##4(element x, element y, element z, element w) { return {x, y, z, w}; }

HEDDLE_HOST_VECTORS(float, float)
HEDDLE_HOST_VECTORS(int, int)
HEDDLE_HOST_VECTORS(uint, unsigned)
HEDDLE_HOST_VECTORS(uchar, unsigned char)
HEDDLE_HOST_VECTORS(ushort, unsigned short)
#undef HEDDLE_HOST_VECTORS
