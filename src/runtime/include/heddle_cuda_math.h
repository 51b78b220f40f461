// Mathematics in double precision for kernels, beside what cuda_minimal_math.h has of it. NVIDIA's own library is part
// of the toolkit; these are written out from the series of the functions. tests/runtime/programs/math_functions.cu
// holds them against the host's library, and has the largest errors.
#pragma once

HEDDLE_INLINE long long __double_as_longlong(double a) { return __builtin_bit_cast(long long, a); }
HEDDLE_INLINE double __longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }

// ---- one instruction, or a few

HEDDLE_INLINE double floor(double a) { return __builtin_floor(a); }
HEDDLE_INLINE double ceil(double a) { return __builtin_ceil(a); }
HEDDLE_INLINE double trunc(double a) { return __builtin_trunc(a); }
HEDDLE_INLINE double rint(double a) { return __builtin_rint(a); }
HEDDLE_INLINE double nearbyint(double a) { return __builtin_rint(a); }
HEDDLE_INLINE double fmin(double a, double b) { return __builtin_fmin(a, b); }
HEDDLE_INLINE double fmax(double a, double b) { return __builtin_fmax(a, b); }
HEDDLE_INLINE double copysign(double a, double b) { return __builtin_copysign(a, b); }
HEDDLE_INLINE double rsqrt(double a) { return 1.0 / sqrt(a); }
HEDDLE_INLINE double fdim(double a, double b) { return a > b ? a - b : a <= b ? 0.0 : a + b; }
HEDDLE_INLINE double round(double a) {
  const double whole = trunc(a);
  return fabs(a - whole) >= 0.5 ? whole + copysign(1.0, a) : copysign(whole, a);
}

// ---- parts of a number

HEDDLE_INLINE int heddle_exponent(double a) {  // of a number that is neither zero nor beyond the range; 1 is 0
  const int biased = (int)(__double_as_longlong(a) >> 52 & 0x7ff);
  return biased ? biased - 1023 : (int)(__double_as_longlong(a * 0x1p54) >> 52 & 0x7ff) - 1023 - 54;
}
HEDDLE_INLINE bool heddle_usual(double a) { return a - a == 0.0 && a != 0.0; }  // not zero, not infinite, a number
HEDDLE_INLINE double heddle_power_of_2(int exponent) {
  return __longlong_as_double((long long)(exponent + 1023) << 52);
}

// Two steps that lose nothing, and one that rounds.
HEDDLE_INLINE double ldexp(double a, int by) {
  by = by > 2200 ? 2200 : by < -2200 ? -2200 : by;
  for (; by > 1023; by -= 1023) a *= 0x1p1023;
  for (; by < -969; by += 969)
    if (by < -969 - 1022)
      a *= 0x1p-969;
    else
      return a * heddle_power_of_2(by / 2 + 53) * heddle_power_of_2(by - by / 2 - 53);
  return a * heddle_power_of_2(by);
}
HEDDLE_INLINE double scalbn(double a, int by) { return ldexp(a, by); }
HEDDLE_INLINE double scalbln(double a, long by) { return ldexp(a, by > 4000 ? 4000 : by < -4000 ? -4000 : (int)by); }
HEDDLE_INLINE double frexp(double a, int* exponent) {
  *exponent = heddle_usual(a) ? heddle_exponent(a) + 1 : 0;
  return ldexp(a, -*exponent);
}
HEDDLE_INLINE double modf(double a, double* whole) {
  *whole = trunc(a);
  return copysign(a - a == 0.0 ? a - *whole : a == a ? 0.0 : a, a);
}
HEDDLE_INLINE int ilogb(double a) {
  return heddle_usual(a) ? heddle_exponent(a) : a == 0.0 ? -2147483647 - 1 : a == a ? 2147483647 : -2147483647 - 1;
}
HEDDLE_INLINE double logb(double a) {
  return heddle_usual(a) ? heddle_exponent(a) : a == 0.0 ? -__builtin_inf() : a * a;
}
HEDDLE_INLINE double nextafter(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  if (a == 0.0) return copysign(__longlong_as_double(1), b);
  return __longlong_as_double(__double_as_longlong(a) + ((a < b) == (a > 0.0) ? 1 : -1));
}

// Subtracts b, doubled as often as it goes: every difference is exact.
HEDDLE_INLINE double fmod(double a, double b) {
  if (!(a - a == 0.0) || b != b || b == 0.0) return __builtin_nan("");
  double rest = fabs(a);
  const double by = fabs(b);
  if (rest < by || by == __builtin_inf()) return a;
  for (int shift = heddle_exponent(rest) - heddle_exponent(by); shift >= 0; --shift) {
    const double multiple = ldexp(by, shift);
    if (rest >= multiple) rest -= multiple;
  }
  return copysign(rest, a);
}
HEDDLE_INLINE double remainder(double a, double b) {
  if (!(a - a == 0.0) || b != b || b == 0.0) return __builtin_nan("");
  const double by = fabs(b);
  if (by == __builtin_inf()) return a;
  double rest = by < 0x1p1022 ? fabs(fmod(a, 2.0 * by)) : fabs(a);
  if (by < 0x1p-1021 ? rest + rest > by : rest > 0.5 * by) {
    rest -= by;
    if (by < 0x1p-1021 ? rest + rest >= by : rest >= 0.5 * by) rest -= by;
  }
  return __double_as_longlong(a) < 0 ? -rest : rest;
}

// ---- exponentials

// e^a for a up to ln 2 / 2, less 1: a + a^2/2 + …
HEDDLE_INLINE double heddle_expm1_small(double a) {
  double series = 0.0, factorial = 6227020800.0;  // of 13
#pragma unroll
  for (int i = 13; i >= 3; factorial /= i--) series = fma(series, a, 1.0 / factorial);
  return fma(a * a, fma(series, a, 0.5), a);
}
HEDDLE_INLINE double heddle_scaled(double a, double power) {
  const int whole = (int)power, half = whole >> 1;
  return a * heddle_power_of_2(half) * heddle_power_of_2(whole - half);
}
HEDDLE_INLINE double exp(double a) {
  a = a > 710.0 ? 710.0 : a < -746.0 ? -746.0 : a;
  const double whole = rint(a * 1.4426950408889634);
  const double rest = fma(whole, -2.3190468138462996e-17, fma(whole, -0.6931471805599453, a));
  return a == a ? heddle_scaled(1.0 + heddle_expm1_small(rest), whole) : a;
}
HEDDLE_INLINE double exp2(double a) {
  a = a > 1025.0 ? 1025.0 : a < -1076.0 ? -1076.0 : a;
  const double whole = rint(a);
  return a == a ? heddle_scaled(1.0 + heddle_expm1_small((a - whole) * 0.6931471805599453), whole) : a;
}
HEDDLE_INLINE double exp10(double a) {
  a = a > 309.0 ? 309.0 : a < -325.0 ? -325.0 : a;
  const double whole = rint(a * 3.321928094887362);
  const double rest = fma(whole, 2.8037281277851704e-18, fma(whole, -0.3010299956639812, a));
  return a == a ? heddle_scaled(1.0 + heddle_expm1_small(rest * 2.302585092994046), whole) : a;
}
HEDDLE_INLINE double expm1(double a) { return fabs(a) < 0.34 ? heddle_expm1_small(a) : exp(a) - 1.0; }

// ---- logarithms

struct HeddleDoubleParts {
  double fraction, exponent;
};
HEDDLE_INLINE HeddleDoubleParts heddle_parts(double a) {
  const bool tiny = a < 2.2250738585072014e-308;
  const long long bits = __double_as_longlong(tiny ? a * 0x1p54 : a);
  const long long exponent = (bits - 0x3fe6a09e667f3bcdll) >> 52;
  return {__longlong_as_double(bits - (exponent << 52)) - 1.0, (double)(exponent - (tiny ? 54 : 0))};
}
HEDDLE_INLINE double heddle_log_edge(double a) { return a == 0.0 ? -__builtin_inf() : a > 0.0 ? a : __builtin_nan(""); }
// What follows s in artanh(s) = s + s^3/3 + …, doubled, over s.
HEDDLE_INLINE double heddle_artanh_tail(double z) {
  double series = 0.0;
#pragma unroll
  for (int i = 23; i >= 3; i -= 2) series = fma(series, z, 2.0 / i);
  return series * z;
}
HEDDLE_INLINE double heddle_log1p(double f) {
  const double s = f / (2.0 + f), half_square = 0.5 * f * f;
  return f - (half_square - s * (half_square + heddle_artanh_tail(s * s)));
}
HEDDLE_INLINE double log(double a) {
  if (!(a > 0.0 && a < __builtin_inf())) return heddle_log_edge(a);
  const HeddleDoubleParts parts = heddle_parts(a);
  return fma(parts.exponent, 0.6931471803691238,
             fma(parts.exponent, 1.9082149292705877e-10, heddle_log1p(parts.fraction)));
}
HEDDLE_INLINE double log2(double a) {
  if (!(a > 0.0 && a < __builtin_inf())) return heddle_log_edge(a);
  const HeddleDoubleParts parts = heddle_parts(a);
  return fma(heddle_log1p(parts.fraction), 1.4426950408889634, parts.exponent);
}
HEDDLE_INLINE double log10(double a) {
  if (!(a > 0.0 && a < __builtin_inf())) return heddle_log_edge(a);
  const HeddleDoubleParts parts = heddle_parts(a);
  return fma(parts.exponent, 0.3010299955494702,
             fma(parts.exponent, 1.1451100898021838e-10, heddle_log1p(parts.fraction) * 0.4342944819032518));
}
HEDDLE_INLINE double log1p(double a) {
  if (fabs(a) < 0.25) return heddle_log1p(a);
  return log(1.0 + a);
}

// a^b for a above zero: the logarithm in two doubles, since its error is multiplied by b.
HEDDLE_INLINE double heddle_positive_power(double a, double b) {
  const HeddleDoubleParts parts = heddle_parts(a);
  const double f = parts.fraction, below = 2.0 + f, below_rest = f - (below - 2.0);
  const double s = f / below, s_rest = (fma(-s, below, f) - s * below_rest) / below;
  const double tail = s * heddle_artanh_tail(s * s);
  const double large = parts.exponent * 0.6931471803691238, sum = large + 2.0 * s;
  const double rest = (large - sum) + 2.0 * s + fma(parts.exponent, 1.9082149292705877e-10, fma(2.0, s_rest, tail));
  const double high = sum + rest, low = rest - (high - sum);
  const double product = b * high;
  if (!(fabs(product) < 800.0)) return product > 0.0 ? __builtin_inf() : 0.0;
  const double power = exp(product);
  return power - power == 0.0 ? fma(power, fma(b, high, -product) + b * low, power) : power;
}
HEDDLE_INLINE double pow(double a, double b) {
  if (b == 0.0 || a == 1.0) return 1.0;
  if (a != a || b != b) return a + b;
  const bool whole = rint(b) == b, odd = whole && fabs(b) < 0x1p53 && ((long long)b & 1);
  const double size = fabs(a), sign = odd && __double_as_longlong(a) < 0 ? -1.0 : 1.0;
  if (fabs(b) == __builtin_inf()) return size == 1.0 ? 1.0 : (size > 1.0) == (b > 0.0) ? __builtin_inf() : 0.0;
  if (size == 0.0 || size == __builtin_inf()) return sign * ((size == 0.0) == (b > 0.0) ? 0.0 : __builtin_inf());
  if (a < 0.0 && !whole) return __builtin_nan("");
  return sign * heddle_positive_power(size, b);
}

// ---- roots

HEDDLE_INLINE double cbrt(double a) {
  if (!heddle_usual(a)) return a;
  const double size = fabs(a);
  double root = heddle_positive_power(size, 1.0 / 3.0);
  root -= (root - size / (root * root)) / 3.0;
  return copysign(root, a);
}
HEDDLE_INLINE double rcbrt(double a) { return 1.0 / cbrt(a); }
HEDDLE_INLINE double hypot(double a, double b) {
  const double large = fmax(fabs(a), fabs(b)), small = fmin(fabs(a), fabs(b));
  if (large == __builtin_inf() || fabs(b) == __builtin_inf()) return __builtin_inf();
  if (a != a || b != b) return a + b;
  if (large == 0.0) return 0.0;
  const int exponent = heddle_exponent(large);
  const double scale = heddle_power_of_2(exponent > 1000 ? -1000 : exponent < -1000 ? 1000 : -exponent);
  const double x = large * scale, y = small * scale;
  return sqrt(fma(x, x, y * y)) / scale;
}
HEDDLE_INLINE double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
HEDDLE_INLINE double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
HEDDLE_INLINE double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
HEDDLE_INLINE double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
HEDDLE_INLINE double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
