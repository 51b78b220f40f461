// Random numbers in kernels: XORWOW, Philox4x32-10, MRG32k3a and Sobol's, with the sequences of cuRAND, and their
// distributions, of Sobol's the uniform ones.
// Words and uniform numbers are the same bits as cuRAND's; normal ones go through the logarithm, sine and cosine of
// heddle cc, and may differ in the last bits.
#pragma once

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))  // as in cuda_runtime.h

#include "heddle_curand_sobol.h"
#include "heddle_curand_states.h"

#define CURAND_2POW32_INV 2.3283064e-10f
#define CURAND_2PI 6.2831855f

// ---- uniform: above 0, up to 1

HEDDLE_INLINE float heddle_unit_float(unsigned x) { return x * 0x1p-32f + 0x1p-33f; }
HEDDLE_INLINE double heddle_unit_double(unsigned x, unsigned y) {
  return (double)(x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}
template <class State>
HEDDLE_INLINE float curand_uniform(State* state) {
  return heddle_unit_float(curand(state));
}
HEDDLE_INLINE float curand_uniform(curandStateMRG32k3a* state) {
  return (float)(curand_MRG32k3a(state) * 2.328306549295728e-10);
}
template <class State>
HEDDLE_INLINE double curand_uniform_double(State* state) {
  const unsigned x = curand(state), y = curand(state);
  return heddle_unit_double(x, y);
}
HEDDLE_INLINE double curand_uniform_double(curandStatePhilox4_32_10* state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}
HEDDLE_INLINE double curand_uniform_double(curandStateMRG32k3a* state) {
  return curand_MRG32k3a(state) * 2.328306549837829e-10;
}
HEDDLE_INLINE double curand_uniform_double(curandStateSobol32* state) { return curand(state) * 0x1p-32 + 0x1p-32; }
HEDDLE_INLINE double curand_uniform_double(curandStateScrambledSobol32* state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}
HEDDLE_INLINE float curand_uniform(curandStateSobol64* state) {
  return heddle_unit_float((unsigned)(curand(state) >> 32));
}
HEDDLE_INLINE float curand_uniform(curandStateScrambledSobol64* state) {
  return heddle_unit_float((unsigned)(curand(state) >> 32));
}
HEDDLE_INLINE double curand_uniform_double(curandStateSobol64* state) {
  return (double)(curand(state) >> 11) * 0x1p-53 + 0x1p-54;
}
HEDDLE_INLINE double curand_uniform_double(curandStateScrambledSobol64* state) {
  return (double)(curand(state) >> 11) * 0x1p-53 + 0x1p-54;
}
HEDDLE_INLINE float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return {heddle_unit_float(x.x), heddle_unit_float(x.y), heddle_unit_float(x.z), heddle_unit_float(x.w)};
}
HEDDLE_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return {heddle_unit_double(x.x, x.y), heddle_unit_double(x.z, x.w)};
}

// ---- normal: two at a time, by the method of Box and Muller

HEDDLE_INLINE float2 heddle_box_muller(unsigned x, unsigned y) {
  const float u = heddle_unit_float(x), angle = y * (0x1p-32f * 6.2831855f) + 0x1p-33f * 6.2831855f;
  const float radius = sqrtf(-2.0f * logf(u));
  float sine, cosine;
  sincosf(angle, &sine, &cosine);
  return {radius * sine, radius * cosine};
}
HEDDLE_INLINE double2 heddle_box_muller_double(double u, double turn) {
  const double radius = sqrt(-2.0 * log(u));
  double sine, cosine;
  sincospi(2.0 * turn, &sine, &cosine);
  return {radius * sine, radius * cosine};
}
template <class State>
HEDDLE_INLINE float2 curand_normal2(State* state) {
  const unsigned x = curand(state), y = curand(state);
  return heddle_box_muller(x, y);
}
template <class State>
HEDDLE_INLINE double2 curand_normal2_double(State* state) {
  const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
  return heddle_box_muller_double(heddle_unit_double(x0, x1), heddle_unit_double(y0, y1));
}
HEDDLE_INLINE double2 curand_normal2_double(curandStateMRG32k3a* state) {
  const double u = curand_uniform_double(state), turn = curand_uniform_double(state);
  return heddle_box_muller_double(u, turn);
}
template <class State>
HEDDLE_INLINE float curand_normal(State* state) {
  state->has_float = !state->has_float;
  if (!state->has_float) return state->next_float;
  const float2 pair = curand_normal2(state);
  state->next_float = pair.y;
  return pair.x;
}
template <class State>
HEDDLE_INLINE double curand_normal_double(State* state) {
  state->has_double = !state->has_double;
  if (!state->has_double) return state->next_double;
  const double2 pair = curand_normal2_double(state);
  state->next_double = pair.y;
  return pair.x;
}
HEDDLE_INLINE float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  const float2 a = heddle_box_muller(x.x, x.y), b = heddle_box_muller(x.z, x.w);
  return {a.x, a.y, b.x, b.y};
}

// ---- logarithmic normal

template <class State>
HEDDLE_INLINE float curand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <class State>
HEDDLE_INLINE double curand_log_normal_double(State* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}

#pragma clang attribute pop
