// Numbers of 8 bits, on the host and in kernels, against the nearest of all 128 sizes that a format has, which is
// looked for here; and halves, floats and integers made of them.
#include <cuda_fp8.h>

#include <cmath>
#include <limits>
#include <vector>

#include "check.h"

// What byte `a` says, from the definition of the format.
static double meaning(unsigned a, __nv_fp8_interpretation_t kind) {
  const int mantissa = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  const unsigned size = a & 0x7f, exponent = size >> mantissa, part = size & ((1 << mantissa) - 1);
  double value = exponent == 0 ? std::ldexp(part, 1 - bias - mantissa)
                               : std::ldexp(part + (1 << mantissa), (int)exponent - bias - mantissa);
  if (kind == __NV_E4M3 ? size == 0x7f : size > 0x7c) value = std::nan("");
  if (kind == __NV_E5M2 && size == 0x7c) value = INFINITY;
  return a & 0x80 ? -value : value;
}

static unsigned nearest(double a, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  const unsigned largest = kind == __NV_E4M3 ? 0x7e : 0x7b, sign = std::signbit(a) ? 0x80 : 0;
  if (a != a) return 0x7f;
  const double size = std::fabs(a), step = meaning(largest, kind) - meaning(largest - 1, kind);
  if (size >= meaning(largest, kind) + step / 2)  // half a step more is rounded to an even number, which is beyond
    if (size > meaning(largest, kind) + step / 2 || largest % 2)
      return sign | (saturate == __NV_SATFINITE ? largest : kind == __NV_E4M3 ? 0x7f : 0x7c);
  unsigned best = 0;
  for (unsigned each = 1; each <= largest; ++each) {
    const double now = std::fabs(meaning(each, kind) - size), before = std::fabs(meaning(best, kind) - size);
    if (now < before || (now == before && each % 2 == 0)) best = each;
  }
  return sign | best;
}

__global__ void convert(const float* in, unsigned char* out, int n, __nv_saturation_t saturate,
                        __nv_fp8_interpretation_t kind) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __nv_cvt_float_to_fp8(in[i], saturate, kind);
}
__global__ void decode(float* out) {
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = b.__x = threadIdx.x;
  out[threadIdx.x] = (float)a;
  out[256 + threadIdx.x] = (float)b;
}

static std::vector<float> samples() {
  std::vector<float> values = {
      0.0f,   -0.0f,    INFINITY, -INFINITY, NAN,    448.0f, 464.0f,
      465.0f, 57344.0f, 61439.0f, 61440.0f,  1e-30f, -1e30f, std::numeric_limits<float>::denorm_min()};
  for (int exponent = -20; exponent < 18; ++exponent)
    for (int part = 0; part < 64; ++part) {
      values.push_back(std::ldexp(1.0f + part / 64.0f, exponent));
      values.push_back(std::nextafter(-values.back(), 0.0f));
    }
  return values;
}

static bool same(double a, double b) { return a == b ? std::signbit(a) == std::signbit(b) : a != a && b != b; }

static void hold(__nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  const std::vector<float> values = samples();
  const int n = (int)values.size();
  float* in;
  unsigned char* out;
  CUDA(cudaMallocManaged(&in, n * sizeof(float)));
  CUDA(cudaMallocManaged(&out, n));
  for (int i = 0; i < n; ++i) in[i] = values[i];
  convert<<<(n + 127) / 128, 128>>>(in, out, n, saturate, kind);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const unsigned wanted = nearest(values[i], saturate, kind);
    EXPECT(out[i] == wanted);
    EXPECT(__nv_cvt_float_to_fp8(values[i], saturate, kind) == wanted);
    const unsigned of_double = __nv_cvt_double_to_fp8(values[i], saturate, kind);
    EXPECT(wanted == 0x7f && values[i] != values[i] ? meaning(of_double, kind) != meaning(of_double, kind)
                                                    : of_double == wanted);
  }
  CUDA(cudaFree(in));
  CUDA(cudaFree(out));
}

static void hold_decoding() {
  float* out;
  CUDA(cudaMallocManaged(&out, 512 * sizeof(float)));
  decode<<<1, 256>>>(out);
  CUDA(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 512; ++i) {
    const __nv_fp8_interpretation_t kind = i < 256 ? __NV_E4M3 : __NV_E5M2;
    const double wanted = meaning(i % 256, kind);
    EXPECT(wanted != wanted ? out[i] != out[i] : same(out[i], wanted));
    EXPECT(same((float)__half(__nv_cvt_fp8_to_halfraw((unsigned char)i, kind)), out[i]));
  }
  CUDA(cudaFree(out));
}

// Halves and bfloat16 are converted as the floats that they are; types saturate; pairs have the first below.
static void hold_types() {
  for (unsigned bits = 0; bits < 0x10000; bits += 7) {
    __half_raw half;
    __nv_bfloat16_raw wide;
    half.x = wide.x = (unsigned short)bits;
    EXPECT(__nv_cvt_halfraw_to_fp8(half, __NV_NOSAT, __NV_E5M2) == nearest((float)__half(half), __NV_NOSAT, __NV_E5M2));
    EXPECT(__nv_fp8_e4m3(__nv_bfloat16(wide)).__x == nearest((float)__nv_bfloat16(wide), __NV_SATFINITE, __NV_E4M3));
  }
  const __nv_fp8x4_e4m3 four(float4{1.0f, -2.0f, 0.3f, 1000.0f});
  const float4 back = (float4)four;
  EXPECT(back.x == 1.0f && back.y == -2.0f && back.z == 0.3125f && back.w == 448.0f);
  const __nv_fp8x2_e5m2 two(float2{3.0f, -0.25f});
  EXPECT(two.__x == (nearest(3.0, __NV_SATFINITE, __NV_E5M2) | nearest(-0.25, __NV_SATFINITE, __NV_E5M2) << 8));
  const float2 pair = (float2)two;
  EXPECT(pair.x == 3.0f && pair.y == -0.25f);
  EXPECT((int)__nv_fp8_e4m3(-3.75f) == -3 && (unsigned)__nv_fp8_e4m3(-3.75f) == 0);
  EXPECT((short)__nv_fp8_e5m2(57344.0f) == 32767 && (float)__nv_fp8_e4m3(17) == 16.0f);
  EXPECT((bool)__nv_fp8_e4m3(0.5f) && !(bool)__nv_fp8_e4m3(-0.0f));
}

int main() {
  for (const __nv_fp8_interpretation_t kind : {__NV_E4M3, __NV_E5M2})
    for (const __nv_saturation_t saturate : {__NV_NOSAT, __NV_SATFINITE}) hold(saturate, kind);
  hold_decoding();
  hold_types();
  return passed();
}
