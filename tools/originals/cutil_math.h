// Arithmetic of small vectors as the CUDA SDK of 2010 had it, as far as programs use it, for tools/measure-originals.
#pragma once

#include "cutil.h"

typedef unsigned uint;

#define HEDDLE_BOTH static inline __host__ __device__

HEDDLE_BOTH float3 heddle_float3(float x, float y, float z) { return {x, y, z}; }
HEDDLE_BOTH float4 heddle_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

HEDDLE_BOTH float3 make_float3(float s) { return heddle_float3(s, s, s); }
HEDDLE_BOTH float3 make_float3(float4 a) { return heddle_float3(a.x, a.y, a.z); }
HEDDLE_BOTH float4 make_float4(float s) { return heddle_float4(s, s, s, s); }
HEDDLE_BOTH float4 make_float4(float3 a) { return heddle_float4(a.x, a.y, a.z, 0); }
HEDDLE_BOTH float4 make_float4(float3 a, float w) { return heddle_float4(a.x, a.y, a.z, w); }

#define HEDDLE_ARITHMETIC(op)                                                                                        \
  HEDDLE_BOTH float3 operator op(float3 a, float3 b) { return heddle_float3(a.x op b.x, a.y op b.y, a.z op b.z); }   \
  HEDDLE_BOTH float4 operator op(float4 a, float4 b) {                                                               \
    return heddle_float4(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w);                                            \
  }                                                                                                                  \
  HEDDLE_BOTH float3 operator op(float3 a, float s) { return heddle_float3(a.x op s, a.y op s, a.z op s); }          \
  HEDDLE_BOTH float4 operator op(float4 a, float s) { return heddle_float4(a.x op s, a.y op s, a.z op s, a.w op s); } \
  HEDDLE_BOTH void operator op##=(float3& a, float3 b) { a = a op b; }                                               \
  HEDDLE_BOTH void operator op##=(float4& a, float4 b) { a = a op b; }                                               \
  HEDDLE_BOTH void operator op##=(float3& a, float s) { a = a op s; }                                                \
  HEDDLE_BOTH void operator op##=(float4& a, float s) { a = a op s; }
HEDDLE_ARITHMETIC(+)
HEDDLE_ARITHMETIC(-)
HEDDLE_ARITHMETIC(*)
HEDDLE_ARITHMETIC(/)
#undef HEDDLE_ARITHMETIC

HEDDLE_BOTH float3 operator*(float s, float3 a) { return a * s; }
HEDDLE_BOTH float4 operator*(float s, float4 a) { return a * s; }
HEDDLE_BOTH float3 operator-(float3 a) { return heddle_float3(-a.x, -a.y, -a.z); }
HEDDLE_BOTH float4 operator-(float4 a) { return heddle_float4(-a.x, -a.y, -a.z, -a.w); }

HEDDLE_BOTH float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HEDDLE_BOTH float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
HEDDLE_BOTH float3 cross(float3 a, float3 b) {
  return heddle_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline __host__ float heddle_inverse_root(float a) { return 1.0f / sqrtf(a); }
static inline __device__ float heddle_inverse_root(float a) { return rsqrtf(a); }
HEDDLE_BOTH float3 normalize(float3 a) { return a * heddle_inverse_root(dot(a, a)); }
HEDDLE_BOTH float4 normalize(float4 a) { return a * heddle_inverse_root(dot(a, a)); }
