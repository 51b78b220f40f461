// Complex numbers as pairs.
#pragma once

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define HEDDLE_COMPLEX(type, real, make, suffix, root)                                                         \
  static inline __host__ __device__ type make(real x, real y) { return {x, y}; }                               \
  static inline __host__ __device__ real cuCreal##suffix(type a) { return a.x; }                               \
  static inline __host__ __device__ real cuCimag##suffix(type a) { return a.y; }                               \
  static inline __host__ __device__ type cuConj##suffix(type a) { return {a.x, -a.y}; }                        \
  static inline __host__ __device__ type cuCadd##suffix(type a, type b) { return {a.x + b.x, a.y + b.y}; }     \
  static inline __host__ __device__ type cuCsub##suffix(type a, type b) { return {a.x - b.x, a.y - b.y}; }     \
  static inline __host__ __device__ type cuCmul##suffix(type a, type b) {                                      \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                                     \
  }                                                                                                            \
  static inline __host__ __device__ type cuCfma##suffix(type a, type b, type c) {                              \
    return {a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y};                                         \
  }                                                                                                            \
  static inline __host__ __device__ type cuCdiv##suffix(type a, type b) {                                      \
    const real scale = 1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));                                  \
    const real x = a.x * scale, y = a.y * scale, u = b.x * scale, v = b.y * scale, over = 1 / (u * u + v * v); \
    return {(x * u + y * v) * over, (y * u - x * v) * over};                                                   \
  }                                                                                                            \
  static inline __host__ __device__ real cuCabs##suffix(type a) { return root(a.x, a.y); }
HEDDLE_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, hypotf)
HEDDLE_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , hypot)
#undef HEDDLE_COMPLEX
static inline __host__ __device__ cuComplex make_cuComplex(float x, float y) { return {x, y}; }
static inline __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
static inline __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {(float)a.x, (float)a.y};
}
