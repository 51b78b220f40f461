#pragma once

// The hardware's special function unit: one quadratic interpolation per function, from a table indexed
// by the argument's upper bits. The PTX approximations are short sequences around these (approximate.h).
// Subnormal arguments count as zero (tanh hands them on), subnormal results become zero.

#include <cstdint>

namespace heddle::numeric::special {

float reciprocal(float x);
float reciprocal_sqrt(float x);
float square_root(float x);
float log2(float x);
float exp2(float x);
// The argument is in full turns.
float sine(float turns);
float cosine(float turns);
float tanh(float x);

// The same for a row of kRow arguments; both may be the same row.
void reciprocal(const float* from, float* to);
void reciprocal_sqrt(const float* from, float* to);
void square_root(const float* from, float* to);
void log2(const float* from, float* to);
void exp2(const float* from, float* to);
void sine(const float* from, float* to);
void cosine(const float* from, float* to);

// The upper half of an f64 result from the upper half of the argument.
uint32_t reciprocal_high(uint32_t x);
uint32_t reciprocal_sqrt_high(uint32_t x);

}  // namespace heddle::numeric::special
