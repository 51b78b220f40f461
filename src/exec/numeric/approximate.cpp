#include "exec/numeric/approximate.h"

#include "exec/numeric/convert_float.h"
#include "exec/numeric/elementary.h"
#include "exec/numeric/float32.h"
#include "exec/numeric/float64.h"

namespace heddle::numeric {

namespace {

constexpr float infinity = __builtin_inff();

float nan_f32() { return from_bits<float>(nan_bits<float>); }

// The phase of sin and cos: x / 2pi, rounded towards zero as the instruction before the table lookup
// does it.
double turns(float x, bool ftz) {
  return mul(x, from_bits<float>(0x3e22f983), Rounding::Rz, ftz);
}

}  // namespace

float rcp_approx(float x, bool ftz) {
  if (is_nan(x)) return nan_f32();
  return ftz ? div(1.0f, x, Rounding::Rn, true) : rcp(x);
}

float sqrt_approx(float x, bool ftz) { return sqrt(flush_if(ftz, x)); }

float rsqrt_approx(float input, bool ftz) {
  const float x = flush_if(ftz, input);
  if (is_zero(x)) return div(1.0f, x);
  if (is_nan(x) || x < 0) return nan_f32();
  if (is_infinite(x)) return 0;
  return static_cast<float>(1 / __builtin_sqrt(static_cast<double>(x)));
}

float sin_approx(float x, bool ftz) {
  if (is_nan(x) || is_infinite(x)) return nan_f32();
  const double phase = turns(x, ftz);
  const double fraction = phase - __builtin_trunc(phase);
  const double sine = sin_turns(fraction);
  return sine == 0 ? from_bits<float>(to_bits(x) & sign_mask<float>) : static_cast<float>(sine);
}

float cos_approx(float x, bool ftz) {
  if (is_nan(x) || is_infinite(x)) return nan_f32();
  const double phase = turns(x, ftz);
  return static_cast<float>(cos_turns(phase - __builtin_trunc(phase)));
}

float lg2_approx(float input, bool ftz) {
  const float x = flush_if(ftz, input);
  if (is_zero(x)) return -infinity;
  if (is_nan(x) || x < 0) return nan_f32();
  if (is_infinite(x)) return x;
  return static_cast<float>(log2_double(x));
}

float ex2_approx(float input, bool ftz) {
  const float x = flush_if(ftz, input);
  if (is_nan(x)) return nan_f32();
  if (x >= 128) return infinity;
  if (x < -160) return 0;
  return flush_if(ftz, static_cast<float>(exp2_double(x)));
}

float tanh_approx(float x) {
  if (is_nan(x)) return nan_f32();
  if (is_infinite(x)) return x < 0 ? -1.0f : 1.0f;
  return static_cast<float>(tanh_double(x));
}

float div_approx(float a, float b, bool ftz) {
  const bool beyond = magnitude_bits(b) > to_bits(0x1p126f) && magnitude_bits(b) < infinity_bits<float>;
  const float reciprocal =
      beyond ? from_bits<float>(to_bits(b) & sign_mask<float>) : rcp_approx(b, ftz);
  return ftz ? mul_ftz(a, reciprocal) : mul(a, reciprocal);
}

float div_full(float a, float b, bool ftz) { return div(a, b, Rounding::Rn, ftz); }

double rcp_approx_ftz(double input) {
  const double x = flush(from_bits<double>(to_bits(input) & ~uint64_t{0xffff'ffff}));
  const double result = flush(rcp(x));
  return from_bits<double>(to_bits(result) & ~uint64_t{0xffff'ffff});
}

// One cubic step from a seed of 20 bits, as the hardware's subroutine does it; the result is correctly
// rounded but for one case in a million.
double rsqrt_approx(double x) {
  if (is_nan(x)) return quiet_nan(x);
  if (is_zero(x)) return div(1.0, x);
  if (x < 0) return from_bits<double>(nan_bits<double>);
  if (is_infinite(x)) return 0;
  const bool tiny = is_subnormal(x);
  const double scaled = tiny ? x * 0x1p54 : x;
  const double seed =
      from_bits<double>(to_bits(1 / __builtin_sqrt(scaled)) & ~uint64_t{0xffff'ffff});
  const double error = __builtin_fma(scaled, -(seed * seed), 1.0);
  const double result =
      __builtin_fma(__builtin_fma(error, 0.375, 0.5), seed * error, seed);
  return tiny ? result * 0x1p27 : result;
}

double rsqrt_approx_ftz(double input) {
  const double x = flush(from_bits<double>(to_bits(input) & ~uint64_t{0xffff'ffff}));
  return from_bits<double>(to_bits(rsqrt_approx(x)) & ~uint64_t{0xffff'ffff});
}

F16 ex2_approx(F16 x) { return narrow<F16>(ex2_approx(widen(x), false)); }
F16 tanh_approx(F16 x) { return narrow<F16>(tanh_approx(widen(x))); }
Bf16 ex2_approx_ftz(Bf16 x) { return narrow<Bf16>(ex2_approx(widen(x), true)); }
Bf16 tanh_approx(Bf16 x) { return narrow<Bf16>(tanh_approx(widen(x))); }

}  // namespace heddle::numeric
