#include "exec/numeric/approximate.h"

#include <cstring>

#include "base/types.h"
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
bool is_large(float x) { return magnitude_bits(x) > to_bits(large); }
bool is_small(float x) { return magnitude_bits(x) < to_bits(smallest_normal); }

double from_high(uint32_t high) { return from_bits<double>(uint64_t{high} << 32); }
uint32_t high_of(double x) { return static_cast<uint32_t>(to_bits(x) >> 32); }

// 2^exponent if the condition holds, else 1: a factor for all, so that rows need no jump.
float power_if(bool condition, int exponent) {
  return from_bits<float>(one_bits<float> + static_cast<uint32_t>(condition * exponent) * (1u << 23));
}

// A function of the special function unit, with what comes before it and what after where there is no .ftz: operands
// and results that the unit would flush are scaled. x is the operand, y what the unit gives.
struct Rcp {
  static auto unit(auto... x) { return special::reciprocal(x...); }
  static float scale(float x) { return power_if(is_small(x), 24) * power_if(is_large(x), -2); }
  static float before(float x) { return mul(x, scale(x)); }
  static float after(float x, float y) { return mul(y, scale(x)); }
};
struct Sqrt {
  static auto unit(auto... x) { return special::square_root(x...); }
  static float before(float x) { return mul(x, power_if(is_small(x), 24)); }
  static float after(float x, float y) { return mul(y, power_if(is_small(x), -12)); }
};
struct Rsqrt {
  static auto unit(auto... x) { return special::reciprocal_sqrt(x...); }
  static float before(float x) { return mul(x, power_if(is_small(x), 24)); }
  static float after(float x, float y) { return mul(y, power_if(is_small(x), 12)); }
};
struct Lg2 {
  static auto unit(auto... x) { return special::log2(x...); }
  static float before(float x) { return mul(x, power_if(is_small(x), 24)); }
  static float after(float x, float y) { return is_small(x) ? add(y, -24.0f) : y; }
};
struct Ex2 {
  static auto unit(auto... x) { return special::exp2(x...); }
  static float before(float x) { return mul(x, power_if(x < -126, -1)); }
  static float after(float x, float y) { return x < -126 ? mul(y, y) : y; }
};

template <class A>
float one(float x, bool ftz) {
  return ftz ? A::unit(x) : A::after(x, A::unit(A::before(x)));
}
template <class A>
void row(const float* from, float* to, bool ftz) {
  if (ftz) return A::unit(from, to);
  float x[kRow], y[kRow];
  std::memcpy(x, from, sizeof x);
  for (unsigned i = 0; i < kRow; ++i) y[i] = A::before(x[i]);
  A::unit(static_cast<const float*>(y), static_cast<float*>(y));
  for (unsigned i = 0; i < kRow; ++i) y[i] = A::after(x[i], y[i]);
  std::memcpy(to, y, sizeof y);
}

// In turns, cut off: the product is exact in double. Of a subnormal one nothing but the sign matters.
float turns(float x) {
  const double product = static_cast<double>(x) * one_over_two_pi;
  return static_cast<float>(from_bits<double>(to_bits(product) >> 29 << 29));
}
void turns(const float* from, float* to) {
  float y[kRow];
  for (unsigned i = 0; i < kRow; ++i) y[i] = turns(from[i]);
  std::memcpy(to, y, sizeof y);
}

}  // namespace

float rcp_approx(float x, bool ftz) { return one<Rcp>(x, ftz); }
float sqrt_approx(float x, bool ftz) { return one<Sqrt>(x, ftz); }
float rsqrt_approx(float x, bool ftz) { return one<Rsqrt>(x, ftz); }
float sin_approx(float x, bool) { return special::sine(turns(x)); }
float cos_approx(float x, bool) { return special::cosine(turns(x)); }
float lg2_approx(float x, bool ftz) { return one<Lg2>(x, ftz); }
float ex2_approx(float x, bool ftz) { return one<Ex2>(x, ftz); }

void rcp_approx(const float* from, float* to, bool ftz) { row<Rcp>(from, to, ftz); }
void sqrt_approx(const float* from, float* to, bool ftz) { row<Sqrt>(from, to, ftz); }
void rsqrt_approx(const float* from, float* to, bool ftz) { row<Rsqrt>(from, to, ftz); }
void sin_approx(const float* from, float* to, bool) {
  turns(from, to);
  special::sine(to, to);
}
void cos_approx(const float* from, float* to, bool) {
  turns(from, to);
  special::cosine(to, to);
}
void lg2_approx(const float* from, float* to, bool ftz) { row<Lg2>(from, to, ftz); }
void ex2_approx(const float* from, float* to, bool ftz) { row<Ex2>(from, to, ftz); }

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
