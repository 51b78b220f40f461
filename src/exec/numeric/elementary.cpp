#include "exec/numeric/elementary.h"

#include <cstdint>

#include "exec/numeric/format.h"

namespace heddle::numeric {

namespace {

constexpr double ln2 = 0.69314718055994530942;
constexpr double two_pi = 6.28318530717958647692;

// 2^n for a normal result.
double power_of_two(int n) { return from_bits<double>(static_cast<uint64_t>(n + 1023) << 52); }

// Taylor series of sin and cos, enough terms for |angle| <= pi/4.
double sin_series(double angle) {
  const double square = angle * angle;
  double sum = 1, term = 1;
  for (int k = 1; k <= 8; ++k) {
    term *= -square / ((2 * k) * (2 * k + 1));
    sum += term;
  }
  return angle * sum;
}
double cos_series(double angle) {
  const double square = angle * angle;
  double sum = 1, term = 1;
  for (int k = 1; k <= 8; ++k) {
    term *= -square / ((2 * k - 1) * (2 * k));
    sum += term;
  }
  return sum;
}

}  // namespace

double exp2_double(double x) {
  const int whole = static_cast<int>(x + (x < 0 ? -0.5 : 0.5));
  const double t = (x - whole) * ln2;
  double sum = 1, term = 1;
  for (int k = 1; k <= 14; ++k) {
    term *= t / k;
    sum += term;
  }
  // In two steps, so that results near the ends of the range stay normal in between.
  const int half = whole / 2;
  return sum * power_of_two(half) * power_of_two(whole - half);
}

double log2_double(double x) {
  int exponent = static_cast<int>(to_bits(x) >> 52) - 1023;
  double m = from_bits<double>((to_bits(x) & fraction_mask<double>) | one_bits<double>);
  if (m > 1.41421356237309505) {
    m *= 0.5;
    ++exponent;
  }
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return exponent + 2 * s * sum / ln2;
}

double sin_turns(double x) {
  // Quarter turns, and what is left of one, between -1/8 and 1/8 turn.
  const int quarter = static_cast<int>(x * 4 + (x < 0 ? -0.5 : 0.5));
  const double angle = (x - quarter * 0.25) * two_pi;
  switch (quarter & 3) {
    case 0: return sin_series(angle);
    case 1: return cos_series(angle);
    case 2: return -sin_series(angle);
    default: return -cos_series(angle);
  }
}

double cos_turns(double x) { return sin_turns(0.25 - (x < 0 ? -x : x)); }

double tanh_double(double x) {
  const double magnitude = x < 0 ? -x : x;
  if (magnitude < 1e-5) return x;
  if (magnitude > 25) return x < 0 ? -1 : 1;
  const double e = exp2_double(-2 * magnitude / ln2);
  const double result = (1 - e) / (1 + e);
  return x < 0 ? -result : result;
}

}  // namespace heddle::numeric
