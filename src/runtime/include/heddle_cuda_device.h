// What kernels of whole programs use beside cuda_minimal.h: here printf, assert and memory (new and delete are in
// clang's own <new>); the rest by its kind.
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

HEDDLE_INLINE void* memcpy(void* to, const void* from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
HEDDLE_INLINE void* memset(void* to, int value, size_t bytes) { return __builtin_memset(to, value, bytes); }

// What glibc's assert calls; noreturn as there.
extern "C" __device__ inline void __assert_fail(const char* expression, const char* file, unsigned line,
                                                const char* function) noexcept {
  __assertfail(expression, file, line, function, 1);
}

#include <new>

#include "heddle_cuda_atomics.h"
#include "heddle_cuda_intrinsics.h"
#include "heddle_cuda_simd.h"
#include "heddle_cuda_surfaces.h"
#include "heddle_cuda_texture_functions.h"
#include "heddle_cuda_warp.h"

// Who takes an index for a vector.
#define HEDDLE_INDEX_VALUES(name)                                                    \
  __device__ inline HeddleIndex_##name::operator uint3() const { return {x, y, z}; } \
  __device__ inline HeddleIndex_##name::operator dim3() const { return {x, y, z}; }
HEDDLE_INDEX_VALUES(threadIdx)
HEDDLE_INDEX_VALUES(blockIdx)
HEDDLE_INDEX_VALUES(blockDim)
HEDDLE_INDEX_VALUES(gridDim)
#undef HEDDLE_INDEX_VALUES
