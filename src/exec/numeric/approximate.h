#pragma once

// The .approx instructions, and div.full, with the hardware's bits. The bounds the manual promises are
// in approx_bounds.h.

#include "exec/numeric/format.h"

namespace heddle::numeric {

// f32. ftz is the instruction's .ftz.
float rcp_approx(float x, bool ftz);
float sqrt_approx(float x, bool ftz);
float rsqrt_approx(float x, bool ftz);
float sin_approx(float x, bool ftz);
float cos_approx(float x, bool ftz);
float lg2_approx(float x, bool ftz);
float ex2_approx(float x, bool ftz);
float tanh_approx(float x);
// The same for a row of kRow operands.
void rcp_approx(const float* from, float* to, bool ftz);
void sqrt_approx(const float* from, float* to, bool ftz);
void rsqrt_approx(const float* from, float* to, bool ftz);
void sin_approx(const float* from, float* to, bool ftz);
void cos_approx(const float* from, float* to, bool ftz);
void lg2_approx(const float* from, float* to, bool ftz);
void ex2_approx(const float* from, float* to, bool ftz);
// a * (1 / b): zero for |b| above 2^126, as PTX says.
float div_approx(float a, float b, bool ftz);
// The same, but scaled so that it holds on the full range of b.
float div_full(float a, float b, bool ftz);

// f64. The .ftz forms look at the upper half of the operand only and compute the upper half of the
// result; the lower half is zero.
double rcp_approx_ftz(double x);
double rsqrt_approx_ftz(double x);
double rsqrt_approx(double x);

F16 ex2_approx(F16 x);
F16 tanh_approx(F16 x);
// PTX has only ex2.approx.ftz for bf16.
Bf16 ex2_approx_ftz(Bf16 x);
Bf16 tanh_approx(Bf16 x);

}  // namespace heddle::numeric
