// What clang needs to compile a workload's kernel.cu without the CUDA toolkit (tools/build-ptx includes it on the
// command line; nvcc knows all this by itself): the words of the language, thread indices, barriers, atomics and
// warp-wide functions, each over a builtin of clang. Only what the workloads use; mathematics is in
// cuda_minimal_math.h.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#define HEDDLE_INLINE static __forceinline__ __device__

typedef __SIZE_TYPE__ size_t;

// ---- thread indices: members that read a special register; whole programs take them for vectors too

struct uint3;
struct dim3;

#define HEDDLE_INDEX(name, sreg)                                                \
  struct HeddleIndex_##name {                                                   \
    __declspec(property(get = get_x)) unsigned x;                               \
    __declspec(property(get = get_y)) unsigned y;                               \
    __declspec(property(get = get_z)) unsigned z;                               \
    static __device__ unsigned get_x() { return __nvvm_read_ptx_##sreg##_x(); } \
    static __device__ unsigned get_y() { return __nvvm_read_ptx_##sreg##_y(); } \
    static __device__ unsigned get_z() { return __nvvm_read_ptx_##sreg##_z(); } \
    __device__ operator uint3() const;                                          \
    __device__ operator dim3() const;                                           \
  };                                                                            \
  extern const __device__ __attribute__((weak)) HeddleIndex_##name name;

HEDDLE_INDEX(threadIdx, sreg_tid)
HEDDLE_INDEX(blockIdx, sreg_ctaid)
HEDDLE_INDEX(blockDim, sreg_ntid)
HEDDLE_INDEX(gridDim, sreg_nctaid)
#undef HEDDLE_INDEX

enum : int { warpSize = 32 };

// ---- small vectors, aligned as CUDA aligns them

#define HEDDLE_VECTORS(type, element, align2, align4)                                         \
  struct __align__(align2) type##2 {                                                          \
    element x, y;                                                                             \
  };                                                                                          \
  struct type##3 {                                                                            \
    element x, y, z;                                                                          \
  };                                                                                          \
  struct __align__(align4) type##4 {                                                          \
    element x, y, z, w;                                                                       \
  };                                                                                          \
  HEDDLE_INLINE type##2 make_##type##2(element x, element y) { return {x, y}; }               \
  HEDDLE_INLINE type##3 make_##type##3(element x, element y, element z) { return {x, y, z}; } \
  HEDDLE_INLINE type##4 make_##type##4(element x, element y, element z, element w) { return {x, y, z, w}; }

HEDDLE_VECTORS(float, float, 8, 16)
HEDDLE_VECTORS(int, int, 8, 16)
HEDDLE_VECTORS(uint, unsigned, 8, 16)
HEDDLE_VECTORS(uchar, unsigned char, 2, 4)
HEDDLE_VECTORS(ushort, unsigned short, 4, 8)
#undef HEDDLE_VECTORS

// ---- barriers and fences
// Instructions in words: clang 14 holds that its own __syncthreads cannot change a __shared__ variable whose address
// nobody takes, and reads such a variable before the barrier instead of behind it.

HEDDLE_INLINE void heddle_syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }
#define __syncthreads heddle_syncthreads
HEDDLE_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory"); }
HEDDLE_INLINE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
HEDDLE_INLINE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }

#define HEDDLE_BARRIER_VOTE(function, builtin) \
  HEDDLE_INLINE int function(int predicate) {  \
    asm volatile("" ::: "memory");             \
    const int all = builtin(predicate);        \
    asm volatile("" ::: "memory");             \
    return all;                                \
  }
HEDDLE_BARRIER_VOTE(__syncthreads_or, __nvvm_bar0_or)
HEDDLE_BARRIER_VOTE(__syncthreads_and, __nvvm_bar0_and)
HEDDLE_BARRIER_VOTE(__syncthreads_count, __nvvm_bar0_popc)
#undef HEDDLE_BARRIER_VOTE

// ---- loads of what no kernel writes, by the texture cache

HEDDLE_INLINE int4 __ldg(const int4* p) {
  typedef int Vector __attribute__((ext_vector_type(4)));
  const Vector v = __nvvm_ldg_i4((const Vector*)p);
  return {v.x, v.y, v.z, v.w};
}
HEDDLE_INLINE unsigned char __ldg(const unsigned char* p) { return __nvvm_ldg_uc(p); }

// ---- atomics, relaxed as CUDA's are

HEDDLE_INLINE int atomicAdd(int* p, int v) { return __nvvm_atom_add_gen_i(p, v); }
HEDDLE_INLINE unsigned atomicAdd(unsigned* p, unsigned v) { return (unsigned)__nvvm_atom_add_gen_i((int*)p, (int)v); }
HEDDLE_INLINE unsigned long long atomicAdd(unsigned long long* p, unsigned long long v) {
  return (unsigned long long)__nvvm_atom_add_gen_ll((long long*)p, (long long)v);
}
HEDDLE_INLINE float atomicAdd(float* p, float v) { return __nvvm_atom_add_gen_f(p, v); }
HEDDLE_INLINE int atomicSub(int* p, int v) { return atomicAdd(p, -v); }
HEDDLE_INLINE unsigned atomicSub(unsigned* p, unsigned v) { return atomicAdd(p, 0u - v); }
HEDDLE_INLINE int atomicMin(int* p, int v) { return __nvvm_atom_min_gen_i(p, v); }
HEDDLE_INLINE int atomicMax(int* p, int v) { return __nvvm_atom_max_gen_i(p, v); }
HEDDLE_INLINE unsigned atomicMin(unsigned* p, unsigned v) { return __nvvm_atom_min_gen_ui(p, v); }
HEDDLE_INLINE unsigned atomicMax(unsigned* p, unsigned v) { return __nvvm_atom_max_gen_ui(p, v); }
HEDDLE_INLINE int atomicExch(int* p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
HEDDLE_INLINE unsigned atomicExch(unsigned* p, unsigned v) { return (unsigned)__nvvm_atom_xchg_gen_i((int*)p, (int)v); }
HEDDLE_INLINE int atomicCAS(int* p, int expected, int v) { return __nvvm_atom_cas_gen_i(p, expected, v); }
HEDDLE_INLINE unsigned atomicCAS(unsigned* p, unsigned expected, unsigned v) {
  return (unsigned)__nvvm_atom_cas_gen_i((int*)p, (int)expected, (int)v);
}
HEDDLE_INLINE int atomicOr(int* p, int v) { return __nvvm_atom_or_gen_i(p, v); }
HEDDLE_INLINE unsigned atomicOr(unsigned* p, unsigned v) { return (unsigned)__nvvm_atom_or_gen_i((int*)p, (int)v); }
HEDDLE_INLINE unsigned atomicAnd(unsigned* p, unsigned v) { return (unsigned)__nvvm_atom_and_gen_i((int*)p, (int)v); }
HEDDLE_INLINE unsigned atomicXor(unsigned* p, unsigned v) { return (unsigned)__nvvm_atom_xor_gen_i((int*)p, (int)v); }
HEDDLE_INLINE unsigned atomicInc(unsigned* p, unsigned limit) { return __nvvm_atom_inc_gen_ui(p, limit); }

// ---- warp-wide functions; the last argument of shfl holds the width of a segment and the highest lane

HEDDLE_INLINE unsigned __ballot_sync(unsigned mask, int predicate) { return __nvvm_vote_ballot_sync(mask, predicate); }
HEDDLE_INLINE int __any_sync(unsigned mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
HEDDLE_INLINE int __all_sync(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }

#define HEDDLE_SHUFFLE(function, builtin, highest)                                                              \
  HEDDLE_INLINE int function(unsigned mask, int v, int lane, int width = warpSize) {                            \
    return __nvvm_shfl_sync_##builtin##_i32(mask, v, lane, (warpSize - width) << 8 | (highest));                \
  }                                                                                                             \
  HEDDLE_INLINE unsigned function(unsigned mask, unsigned v, int lane, int width = warpSize) {                  \
    return (unsigned)__nvvm_shfl_sync_##builtin##_i32(mask, (int)v, lane, (warpSize - width) << 8 | (highest)); \
  }                                                                                                             \
  HEDDLE_INLINE float function(unsigned mask, float v, int lane, int width = warpSize) {                        \
    return __nvvm_shfl_sync_##builtin##_f32(mask, v, lane, (warpSize - width) << 8 | (highest));                \
  }

HEDDLE_SHUFFLE(__shfl_sync, idx, 31)
HEDDLE_SHUFFLE(__shfl_up_sync, up, 0)
HEDDLE_SHUFFLE(__shfl_down_sync, down, 31)
HEDDLE_SHUFFLE(__shfl_xor_sync, bfly, 31)
#undef HEDDLE_SHUFFLE

#include "cuda_minimal_math.h"
