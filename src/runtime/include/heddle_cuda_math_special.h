// Error functions, gamma functions and Bessel functions in double precision for kernels, as in heddle_cuda_math.h.
#pragma once

// ---- error functions

// erf up to 1, by its Taylor series.
HEDDLE_INLINE double heddle_erf_small(double a) {
  const double z = a * a;
  double series = 0.0, factorial = 6402373705728000.0;  // of 18
#pragma unroll
  for (int i = 18; i >= 1; factorial /= i--) series = fma(series, -z, 1.0 / (factorial * (2 * i + 1)));
  return 1.1283791670955126 * fma(-a * z, series, a);
}

// e^(a^2) erfc(a) (a + 2) for a above 0.9 is smooth in (a - 4) / (a + 4): a polynomial fitted to it.
HEDDLE_INLINE double erfcx(double a) {
  if (a < 0.9) return exp(a * a) * (1.0 - heddle_erf_small(a < -1.0 ? -1.0 : a));
  constexpr double kFit[] = {-1.162880259634688e-08,  2.4579183133815493e-08,  7.656787712471818e-08,
                             -2.6213021164190963e-07, -2.811455513436343e-07,  2.238803020953823e-06,
                             -1.1930626641285408e-06, -1.5053570867786514e-05, 4.147641205860009e-05,
                             1.8846272369811132e-05,  -0.0004115291524996859,  0.0013172947855501316,
                             -0.0020084716017839967,  -0.0006821612794413503,  0.013783401872516268,
                             -0.04779530596038682,    0.11292523308018496,     -0.2123381979186181,
                             0.3357693444287075,      -0.4584126315605387,     0.8219967457503683};
  if (a > 28.0) return 0.5641895835477563 / a * (1.0 - 0.5 / (a * a) * (1.0 - 1.5 / (a * a) * (1.0 - 2.5 / (a * a))));
  const double t = (a - 4.0) / (a + 4.0);
  double series = 0.0;
#pragma unroll
  for (double each : kFit) series = fma(series, t, each);
  return series / (a + 2.0);
}
HEDDLE_INLINE double erfc(double a) {
  if (a != a) return a;
  const double size = fabs(a);
  if (size < 0.9) return 1.0 - heddle_erf_small(a);
  if (size > 27.3) return a > 0.0 ? 0.0 : 2.0;
  const double square = size * size, rest = fma(size, size, -square), e = exp(-square);
  const double tail = fma(-e, rest, e) * erfcx(size);
  return a > 0.0 ? tail : 2.0 - tail;
}
HEDDLE_INLINE double erf(double a) {
  if (fabs(a) < 1.0) return heddle_erf_small(a);
  return copysign(1.0 - erfc(fabs(a)), a);
}
HEDDLE_INLINE double normcdf(double a) { return 0.5 * erfc(a * -0.7071067811865476); }

// The a with erfc(a) = y, by Halley's steps from the first terms of what it is for small y.
HEDDLE_INLINE double erfcinv(double y) {
  if (!(y > 0.0 && y < 2.0)) return y == 0.0 ? __builtin_inf() : y == 2.0 ? -__builtin_inf() : __builtin_nan("");
  const double small = y < 1.0 ? y : 2.0 - y;
  const double t = sqrt(-2.0 * log(0.5 * small));
  double a =
      small > 0.5 ? (1.0 - small) * 0.886226925452758 : 0.7071067811865476 * (t - log(t * 2.5066282746310002) / t);
#pragma unroll 1
  for (int step = 0; step < 5; ++step) {
    const double off = (erfc(a) - small) / (1.1283791670955126 * exp(-a * a));
    a += off / fma(a, off, 1.0);
  }
  return y < 1.0 ? a : -a;
}
HEDDLE_INLINE double erfinv(double y) {
  if (fabs(y) > 0.5 || y != y) return copysign(erfcinv(1.0 - fabs(y)), y);
  double a = y * 0.886226925452758;
#pragma unroll 1
  for (int step = 0; step < 4; ++step) {
    const double off = (y - heddle_erf_small(a)) / (1.1283791670955126 * exp(-a * a));
    a += off / fma(a, off, 1.0);
  }
  return a;
}
HEDDLE_INLINE double normcdfinv(double y) { return -1.4142135623730951 * erfcinv(2.0 * y); }

// ---- gamma functions: Stirling's series from 12 on, below that by gamma(a + 1) = a gamma(a)

HEDDLE_INLINE double heddle_stirling(double a) {
  const double over = 1.0 / a, z = over * over;
  double series = -691.0 / 360360.0;
  series = fma(series, z, 1.0 / 1188.0);
  series = fma(series, z, -1.0 / 1680.0);
  series = fma(series, z, 1.0 / 1260.0);
  series = fma(series, z, -1.0 / 360.0);
  return fma(series, z, 1.0 / 12.0) * over;
}
HEDDLE_INLINE double heddle_gamma_above(double a) {  // from 12 on
  const double half = heddle_positive_power(a, 0.5 * a - 0.25);
  return half * exp(-a) * half * (exp(heddle_stirling(a)) * 2.5066282746310002);
}
HEDDLE_INLINE double heddle_gamma_shifted(double a) {
  double product = 1.0;
  for (; a < 12.0; a += 1.0) product *= a;
  return heddle_gamma_above(a) / product;
}
HEDDLE_INLINE double tgamma(double a) {
  if (a != a || a == __builtin_inf()) return a;
  if (a == 0.0) return 1.0 / a;
  if (a < 0.0 && a == floor(a)) return __builtin_nan("");
  if (a < -20.0) return 3.141592653589793 / (sinpi(a) * heddle_gamma_shifted(1.0 - a));
  return a > 172.0 ? __builtin_inf() : heddle_gamma_shifted(a);
}
HEDDLE_INLINE double heddle_lgamma_positive(double a) {
  if (a < 12.0) return log(heddle_gamma_shifted(a));
  return (a - 0.5) * (log(a) - 1.0) + 0.4189385332046727 + heddle_stirling(a);
}
HEDDLE_INLINE double lgamma(double a) {
  if (a != a) return a;
  if (fabs(a) == __builtin_inf() || (a <= 0.0 && a == floor(a))) return __builtin_inf();
  if (a > 0.0) return heddle_lgamma_positive(a);
  return log(3.141592653589793 / fabs(sinpi(a) * a)) - heddle_lgamma_positive(-a);
}

// ---- Bessel functions of the first kind: series near zero, Hankel's expansion far off

HEDDLE_INLINE double heddle_bessel_series(int order, double a) {
  const double z = -0.25 * a * a;
  double term = 1.0, sum = 1.0;
#pragma unroll 1
  for (int i = 1; i <= order; ++i) term *= 0.5 * a / i;
  sum = term;
#pragma unroll 1
  for (int i = 1; i < 60; ++i) sum += term *= z / (i * (double)(i + order));
  return sum;
}
HEDDLE_INLINE double heddle_bessel_far(int order, double a, double turn) {
  const double mu = 4.0 * order * order;
  double term = 1.0, even = 1.0, odd = 0.0;
#pragma unroll 1
  for (int i = 1; i < 24; ++i) {
    const double next = term * (mu - (2 * i - 1.0) * (2 * i - 1.0)) / (i * 8.0 * a);
    if (fabs(next) > fabs(term)) break;
    term = next;
    (i & 1 ? odd : even) += i & 2 ? -term : term;
  }
  const double angle = a - (0.5 * order + 0.25) * 3.141592653589793 - turn;
  return sqrt(0.6366197723675814 / a) * (even * cos(angle) - odd * sin(angle));
}
HEDDLE_INLINE double j0(double a) {
  return fabs(a) < 18.0 ? heddle_bessel_series(0, a) : heddle_bessel_far(0, fabs(a), 0.0);
}
HEDDLE_INLINE double j1(double a) {
  return fabs(a) < 18.0 ? heddle_bessel_series(1, a) : copysign(1.0, a) * heddle_bessel_far(1, fabs(a), 0.0);
}
// ---- and modified ones
HEDDLE_INLINE double heddle_bessel_modified(int order, double a) {
  const double z = 0.25 * a * a;
  double term = order ? 0.5 * a : 1.0, sum = term;
#pragma unroll 1
  for (int i = 1; i < 2000 && fabs(term) > 1e-17 * fabs(sum); ++i) sum += term *= z / (i * (double)(i + order));
  return sum;
}
HEDDLE_INLINE double cyl_bessel_i0(double a) { return heddle_bessel_modified(0, a); }
HEDDLE_INLINE double cyl_bessel_i1(double a) { return heddle_bessel_modified(1, a); }
