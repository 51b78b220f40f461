// Circular and hyperbolic functions in double precision for kernels, as in heddle_cuda_math.h.
#pragma once

// ---- sine and cosine up to pi/4: Taylor series; what is left off is below 1e-19

HEDDLE_INLINE double heddle_sin_small(double a) {
  const double z = a * a;
  double series = 0.0, factorial = 355687428096000.0;  // of 17
#pragma unroll
  for (int i = 17; i >= 3; factorial /= i * (i - 1), i -= 2) series = fma(series, -z, 1.0 / factorial);
  return fma(-a * z, series, a);
}
HEDDLE_INLINE double heddle_cos_small(double a) {
  const double z = a * a;
  double series = 0.0, factorial = 6402373705728000.0;  // of 18
#pragma unroll
  for (int i = 18; i >= 4; factorial /= i * (i - 1), i -= 2) series = fma(series, -z, 1.0 / factorial);
  return fma(z, fma(z, series, -0.5), 1.0);
}

HEDDLE_INLINE int heddle_low_bits(double whole) { return fabs(whole) < 0x1p62 ? (int)(long long)whole : 0; }

// a = quarter pi/2 + the rest: pi/2 in three pieces.
HEDDLE_INLINE double heddle_quarter(double a, int* quarter) {
  const double whole = rint(a * 0.6366197723675814);
  *quarter = heddle_low_bits(whole);
  return fma(whole, 1.4973849048591698e-33, fma(whole, -6.123233995736766e-17, fma(whole, -1.5707963267948966, a)));
}
HEDDLE_INLINE double heddle_turned(double rest, int quarter) {
  const double value = quarter & 1 ? heddle_cos_small(rest) : heddle_sin_small(rest);
  return quarter & 2 ? -value : value;
}
HEDDLE_INLINE double sin(double a) {
  int quarter;
  const double rest = heddle_quarter(a, &quarter);
  return heddle_turned(rest, quarter);
}
HEDDLE_INLINE double cos(double a) {
  int quarter;
  const double rest = heddle_quarter(a, &quarter);
  return heddle_turned(rest, quarter + 1);
}
HEDDLE_INLINE void sincos(double a, double* sine, double* cosine) {
  int quarter;
  const double rest = heddle_quarter(a, &quarter);
  *sine = heddle_turned(rest, quarter);
  *cosine = heddle_turned(rest, quarter + 1);
}
HEDDLE_INLINE double tan(double a) {
  int quarter;
  const double rest = heddle_quarter(a, &quarter);
  const double sine = heddle_sin_small(rest), cosine = heddle_cos_small(rest);
  return quarter & 1 ? -cosine / sine : sine / cosine;
}

// Of a half-turns: the whole quarters come off without an error.
HEDDLE_INLINE double heddle_turned_by_pi(double a, int quarters_more) {
  const double whole = rint(2.0 * a);
  return heddle_turned(fma(-0.5, whole, a) * 3.141592653589793, heddle_low_bits(whole) + quarters_more);
}
HEDDLE_INLINE double sinpi(double a) { return heddle_turned_by_pi(a, 0); }
HEDDLE_INLINE double cospi(double a) { return heddle_turned_by_pi(a, 1); }
HEDDLE_INLINE void sincospi(double a, double* sine, double* cosine) {
  *sine = sinpi(a);
  *cosine = cospi(a);
}

// ---- and back

// Up to 1: around 0, 1/2 and 1 there are points whose arctangent is known, and the series of the difference.
HEDDLE_INLINE double heddle_atan_small(double a) {
  const double at = a < 0.25 ? 0.0 : a < 0.75 ? 0.5 : 1.0;
  const double known = at == 0.0 ? 0.0 : at == 0.5 ? 0.4636476090008061 : 0.7853981633974483;
  const double known_rest = at == 0.0 ? 0.0 : at == 0.5 ? 2.2698777452961687e-17 : 3.061616997868383e-17;
  const double u = (a - at) / fma(a, at, 1.0), z = u * u;
  double series = 0.0;
#pragma unroll
  for (int i = 27; i >= 3; i -= 2) series = fma(series, -z, 1.0 / i);
  return known + (known_rest + fma(-u * z, series, u));
}
HEDDLE_INLINE double atan(double a) {
  const double size = fabs(a);
  if (size <= 1.0) return copysign(heddle_atan_small(size), a);
  return size == size ? copysign(1.5707963267948966 - (heddle_atan_small(1.0 / size) - 6.123233995736766e-17), a) : a;
}
HEDDLE_INLINE double atan2(double y, double x) {
  if (x != x || y != y) return x + y;
  const double across = fabs(x), up = fabs(y);
  const double ratio = across == up ? (up == 0.0 ? 0.0 : 1.0) : fmin(across, up) / fmax(across, up);
  double angle = heddle_atan_small(ratio);
  if (up > across) angle = 1.5707963267948966 - (angle - 6.123233995736766e-17);
  if (__double_as_longlong(x) < 0) angle = 3.141592653589793 - (angle - 1.2246467991473532e-16);
  return copysign(angle, y);
}
HEDDLE_INLINE double asin(double a) {
  const double size = fabs(a);
  if (size <= 0.5) return atan(a / sqrt(fma(-a, a, 1.0)));
  const double half = atan(sqrt((1.0 - size) / (1.0 + size)));
  return copysign(1.5707963267948966 - (2.0 * half - 6.123233995736766e-17), a);
}
HEDDLE_INLINE double acos(double a) { return 2.0 * atan(sqrt((1.0 - a) / (1.0 + a))); }

// ---- hyperbolic

HEDDLE_INLINE double sinh(double a) {
  const double size = fabs(a), half = size > 700.0 ? exp(0.5 * size) : 0.0, part = expm1(size);
  if (size > 700.0) return copysign(0.5 * half * half, a);
  return copysign(0.5 * (part + part / (part + 1.0)), a);
}
HEDDLE_INLINE double cosh(double a) {
  const double size = fabs(a), half = exp(0.5 * size), part = exp(size);
  return size > 700.0 ? 0.5 * half * half : 0.5 * part + 0.5 / part;
}
HEDDLE_INLINE double tanh(double a) {
  const double size = fabs(a), part = expm1(2.0 * size);
  return copysign(size > 22.0 ? 1.0 : part / (part + 2.0), a);
}
HEDDLE_INLINE double asinh(double a) {
  const double size = fabs(a), square = size * size;
  if (size > 1e9) return copysign(log(size) + 0.6931471805599453, a);
  return copysign(log1p(size + square / (1.0 + sqrt(square + 1.0))), a);
}
HEDDLE_INLINE double acosh(double a) {
  const double over = a - 1.0;
  return a > 1e9 ? log(a) + 0.6931471805599453 : log1p(over + sqrt(2.0 * over + over * over));
}
HEDDLE_INLINE double atanh(double a) {
  const double size = fabs(a);
  return copysign(0.5 * log1p(2.0 * size / (1.0 - size)), a);
}
