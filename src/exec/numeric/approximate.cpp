#include "exec/numeric/approximate.h"

#include "exec/numeric/convert_float.h"
#include "exec/numeric/float32.h"
#include "exec/numeric/float64.h"
#include "exec/numeric/special_function.h"

// Each function is the instruction sequence the assembler makes of it for sm_90.

namespace heddle::numeric {

namespace {

constexpr float smallest_normal = 0x1p-126f;
// Beyond this the reciprocal is subnormal, which the special function unit flushes.
constexpr float large = 0x1p126f;
constexpr float one_over_two_pi = 0x1.45f306p-3f;

float magnitude(float x) { return from_bits<float>(magnitude_bits(x)); }
bool is_small(float x) { return magnitude(x) < smallest_normal; }

double from_high(uint32_t high) { return from_bits<double>(uint64_t{high} << 32); }
uint32_t high_of(double x) { return static_cast<uint32_t>(to_bits(x) >> 32); }

}  // namespace

float rcp_approx(float x, bool ftz) {
  if (ftz) return special::reciprocal(x);
  const float scale = magnitude(x) > large ? 0.25f : is_small(x) ? 0x1p24f : 1.0f;
  return mul(scale, special::reciprocal(mul(x, scale)));
}

float sqrt_approx(float x, bool ftz) {
  if (ftz || !is_small(x)) return special::square_root(x);
  return mul(special::square_root(mul(x, 0x1p24f)), 0x1p-12f);
}

float rsqrt_approx(float x, bool ftz) {
  if (ftz || !is_small(x)) return special::reciprocal_sqrt(x);
  return mul(special::reciprocal_sqrt(mul(x, 0x1p24f)), 0x1p12f);
}

float sin_approx(float x, bool) { return special::sine(mul(x, one_over_two_pi, Rounding::Rz)); }
float cos_approx(float x, bool) { return special::cosine(mul(x, one_over_two_pi, Rounding::Rz)); }

float lg2_approx(float x, bool ftz) {
  if (ftz || !is_small(x)) return special::log2(x);
  return add(special::log2(mul(x, 0x1p24f)), -24.0f);
}

float ex2_approx(float x, bool ftz) {
  if (ftz || !(x < -126)) return special::exp2(x);
  const float root = special::exp2(mul(x, 0.5f));
  return mul(root, root);
}

float tanh_approx(float x) { return special::tanh(x); }

float div_approx(float a, float b, bool ftz) {
  if (ftz) return mul_ftz(a, special::reciprocal(b));
  if (!is_small(b)) return mul(special::reciprocal(b), a);
  return mul(special::reciprocal(mul(b, 0x1p24f)), mul(a, 0x1p24f));
}

float div_full(float a, float b, bool ftz) {
  if (ftz) {
    const bool scaled = magnitude(b) > large;
    return mul_ftz(special::reciprocal(scaled ? mul_ftz(b, 0.25f) : b), scaled ? mul_ftz(a, 0.25f) : a);
  }
  const float scale = magnitude(b) > large ? 0.25f : is_small(b) ? 0x1p24f : 1.0f;
  if (scale == 1.0f) return mul(special::reciprocal(b), a);
  return mul(special::reciprocal(mul(b, scale)), mul(a, scale));
}

double rcp_approx_ftz(double x) { return from_high(special::reciprocal_high(high_of(x))); }
double rsqrt_approx_ftz(double x) { return from_high(special::reciprocal_sqrt_high(high_of(x))); }

// One cubic step from the 20-bit seed.
double rsqrt_approx(double x) {
  if (is_nan(x)) return quiet_nan(x);
  if (is_zero(x)) return div(1.0, x);
  if (is_negative(x)) return from_bits<double>(nan_bits<double>);
  if (is_infinite(x)) return 0;
  const bool tiny = is_subnormal(x);
  const double scaled = tiny ? x * 0x1p54 : x;
  const double seed = rsqrt_approx_ftz(scaled);
  const double error = __builtin_fma(scaled, -(seed * seed), 1.0);
  const double result = __builtin_fma(__builtin_fma(error, 0.375, 0.5), seed * error, seed);
  return tiny ? result * 0x1p27 : result;
}

// The short forms cut the f32 result off.
F16 ex2_approx(F16 x) {
  const float result = special::exp2(widen(x));
  return result >= 0x1p16f ? F16{infinity_bits<F16>} : convert<F16>(result, Rounding::Rz);
}
F16 tanh_approx(F16 x) { return convert<F16>(special::tanh(widen(x)), Rounding::Rz); }
Bf16 ex2_approx_ftz(Bf16 x) { return convert<Bf16>(special::exp2(widen(x)), Rounding::Rz); }
Bf16 tanh_approx(Bf16 x) { return convert<Bf16>(special::tanh(widen(x)), Rounding::Rz); }

}  // namespace heddle::numeric
