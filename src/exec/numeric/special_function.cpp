#include "exec/numeric/special_function.h"

#include <bit>
#include <cstddef>

#include "exec/numeric/format.h"
#include "exec/numeric/special_function_tables.h"

namespace heddle::numeric::special {

namespace {

constexpr uint32_t sign_bit = sign_mask<float>;

float nan() { return from_bits<float>(nan_bits<float>); }
float signed_zero(uint32_t sign) { return from_bits<float>(sign); }
float signed_infinity(uint32_t sign) { return from_bits<float>(sign | infinity_bits<float>); }

// x squared without the partial products below 2^cut, divided by 2^cut: the unit's squarer saves them. With cut = 2m +
// 1 those of two bits from m on stay (but for bit m by itself), those of two bits below m do not, and of bit i < m and
// bit j >= m those with i + j >= 2m.
template <int x_bits>
uint32_t truncated_square(uint32_t x) {
  constexpr int m = x_bits == 17 ? 9 : 8;
  const uint32_t upper = x >> m;
  uint32_t square = upper * upper >> 1;
  for (int i = 2 * m + 1 - x_bits; i < m; ++i) square += (0 - (x >> i & 1)) & x >> (2 * m - i);
  return square;
}

// The interpolated value in units of 2^-17 of the result's last place.
constexpr int unit_bits = 17;
template <int x_bits>
int64_t interpolate(const Coefficients& c, uint32_t x, int64_t bias) {
  return (int64_t{c.c0} << (unit_bits - 2)) + bias + int64_t{c.c1} * x +
         2 * int64_t{c.c2} * truncated_square<x_bits>(x);
}

// A 23-bit argument is the index, 6 bits for most tables and 7 for the reciprocal's, and x.
template <size_t entries>
int64_t interpolate_fraction(const std::array<Coefficients, entries>& table, uint32_t fraction, int64_t bias) {
  constexpr int x_bits = 24 - std::bit_width(entries);
  return interpolate<x_bits>(table[fraction >> x_bits], fraction & ((1u << x_bits) - 1), bias);
}
int64_t interpolate_reciprocal(uint32_t fraction) { return interpolate_fraction(reciprocal_table, fraction, 8092); }

// 24 significant bits of value * 2^scale, the rest cut off. The results are normal numbers or zero.
float truncate_to_float(uint64_t value, int scale, uint32_t sign) {
  if (value == 0) return signed_zero(sign);
  const int top = static_cast<int>(std::bit_width(value)) - 1;
  const uint64_t significand = top > 23 ? value >> (top - 23) : value << (23 - top);
  const int field = top + scale + 127;
  if (field <= 0) return signed_zero(sign);
  return from_bits<float>(sign | (static_cast<uint32_t>(field) << 23) |
                          (static_cast<uint32_t>(significand) & fraction_mask<float>));
}

// Where each binade of tanh's argument starts in the table, and how many upper bits of the fraction
// index it there. The result is relative to the argument's exponent, but never above that of 1/2.
struct TanhBinade {
  uint8_t start, index_bits;
};
constexpr int first_tanh_exponent = -8, end_of_tanh_exponent = 3;
constexpr std::array<TanhBinade, 11> tanh_binades{
    {{0, 0}, {1, 0}, {2, 0}, {3, 1}, {5, 1}, {7, 2}, {11, 2}, {15, 2}, {19, 3}, {27, 4}, {43, 3}}};

// sin of a 25-bit fraction of a turn. Odd quarters run backwards, by complement.
float sine_of_phase(uint32_t phase, uint32_t sign) {
  constexpr uint32_t quarter_mask = (1u << 23) - 1;
  const bool backwards = (phase >> 23 & 1) != 0;
  const uint32_t within = (backwards ? ~phase : phase) & quarter_mask;
  if ((phase >> 24 & 1) != 0) sign ^= sign_bit;
  const auto value = static_cast<uint64_t>(interpolate_fraction(sine_table, within, 0));
  return truncate_to_float(value, -24 - unit_bits, sign);
}

// |turns| modulo one, in 2^-25, cut off.
uint32_t phase_of(float turns) {
  const uint32_t magnitude = magnitude_bits(turns);
  const int shift = static_cast<int>(magnitude >> 23) - 127 - 23 + 25;
  const uint64_t significand = (magnitude & fraction_mask<float>) | 0x80'0000;
  if (shift < -24 || shift > 25) return 0;
  const uint64_t phase = shift < 0 ? significand >> -shift : significand << shift;
  return static_cast<uint32_t>(phase) & ((1u << 25) - 1);
}

int64_t interpolate_rsqrt(bool odd_exponent, uint32_t fraction) {
  return interpolate_fraction(odd_exponent ? rsqrt_high_table : rsqrt_low_table, fraction, 32767);
}

}  // namespace

float reciprocal(float x) {
  const uint32_t sign = to_bits(x) & sign_bit;
  if (is_nan(x)) return nan();
  if (is_infinite(x)) return signed_zero(sign);
  if (is_zero(flush(x))) return signed_infinity(sign);
  const int exponent = static_cast<int>(magnitude_bits(x) >> 23) - 127;
  const int64_t value = interpolate_reciprocal(to_bits(x) & fraction_mask<float>);
  return truncate_to_float(static_cast<uint64_t>(value), -24 - unit_bits - exponent, sign);
}

float reciprocal_sqrt(float x) {
  if (is_zero(flush(x))) return signed_infinity(to_bits(x) & sign_bit);
  if (is_nan(x) || is_negative(x)) return nan();
  if (is_infinite(x)) return 0;
  const int exponent = static_cast<int>(to_bits(x) >> 23) - 127;
  const bool odd = (exponent & 1) != 0;
  const uint32_t fraction = to_bits(x) & fraction_mask<float>;
  const int half = (exponent - odd) / 2;
  // An even power of two is exact, which the table misses by one unit.
  if (fraction == 0 && !odd) return truncate_to_float(1, -half, 0);
  const int64_t value = interpolate_rsqrt(odd, fraction);
  return truncate_to_float(static_cast<uint64_t>(value), -24 - unit_bits - half, 0);
}

float square_root(float x) {
  if (is_zero(flush(x))) return signed_zero(to_bits(x) & sign_bit);
  if (is_nan(x) || is_negative(x)) return nan();
  if (is_infinite(x)) return x;
  const int exponent = static_cast<int>(to_bits(x) >> 23) - 127;
  const bool odd = (exponent & 1) != 0;
  const int64_t value =
      interpolate_fraction(odd ? sqrt_high_table : sqrt_low_table, to_bits(x) & fraction_mask<float>, 32767);
  return truncate_to_float(static_cast<uint64_t>(value), (exponent - odd) / 2 - 23 - unit_bits, 0);
}

float log2(float x) {
  if (is_zero(flush(x))) return signed_infinity(sign_bit);
  if (is_nan(x) || is_negative(x)) return nan();
  if (is_infinite(x)) return x;
  if (x == 1) return 0;
  const int exponent = static_cast<int>(to_bits(x) >> 23) - 127;
  // The sum keeps 36 fraction bits; a negative one is complemented, not negated.
  constexpr int kept = 36;
  const int64_t fraction =
      interpolate_fraction(log2_table, to_bits(x) & fraction_mask<float>, 6696) >> (24 + unit_bits - kept);
  const int64_t total = int64_t{exponent} * (int64_t{1} << kept) + fraction;
  const auto magnitude = static_cast<uint64_t>(total < 0 ? ~total : total);
  return truncate_to_float(magnitude, -kept, total < 0 ? sign_bit : 0);
}

float exp2(float x) {
  if (is_nan(x)) return nan();
  if (x >= 128) return signed_infinity(0);
  if (x < -150) return 0;
  // 23 fraction bits, cut off; a negative argument is complemented, unless it is integral then.
  const double magnitude = is_negative(x) ? -static_cast<double>(x) : x;
  const auto fixed = static_cast<int64_t>(magnitude * 0x1p23);
  const bool integral = (fixed & fraction_mask<float>) == 0;
  const int64_t argument = !is_negative(x) ? fixed : integral ? -fixed : ~fixed;
  const int64_t value = interpolate_fraction(exp2_table, static_cast<uint32_t>(argument) & fraction_mask<float>, 24456);
  const int exponent = static_cast<int>(argument >> 23);
  return truncate_to_float(static_cast<uint64_t>(value), exponent - 23 - unit_bits, 0);
}

float sine(float turns) {
  if (is_nan(turns) || is_infinite(turns)) return nan();
  return sine_of_phase(phase_of(turns), to_bits(turns) & sign_bit);
}

float cosine(float turns) {
  if (is_nan(turns) || is_infinite(turns)) return nan();
  return sine_of_phase(phase_of(turns) + (1u << 23), 0);
}

float tanh(float x) {
  if (is_nan(x)) return nan();
  const uint32_t magnitude = magnitude_bits(x), sign = to_bits(x) & sign_bit;
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  if (exponent < first_tanh_exponent) return x;
  if (exponent >= end_of_tanh_exponent) return from_bits<float>(sign | one_bits<float>);
  const TanhBinade binade = tanh_binades[static_cast<unsigned>(exponent - first_tanh_exponent)];
  const uint32_t fraction = magnitude & fraction_mask<float>;
  const uint32_t entry = binade.start + (fraction >> (23 - binade.index_bits));
  // The 17 bits below the index; lower ones are not looked at.
  constexpr int x_bits = 17;
  const uint32_t argument = fraction >> (23 - binade.index_bits - x_bits) & ((1u << x_bits) - 1);
  const int64_t value = interpolate<x_bits>(tanh_table[entry], argument, 0);
  const int scale = exponent < -1 ? exponent : -1;
  return truncate_to_float(static_cast<uint64_t>(value), scale - 23 - unit_bits, sign);
}

namespace {

// The same tables serve the upper half of an f64: 20 fraction bits and a wider exponent.
constexpr uint32_t high_sign = 0x8000'0000, high_infinity = 0x7ff0'0000, high_nan = 0x7fff'ffff;

uint32_t truncate_to_high(int64_t value, int scale, uint32_t sign) {
  const int top = static_cast<int>(std::bit_width(static_cast<uint64_t>(value))) - 1;
  const auto fraction = static_cast<uint32_t>(value >> (top - 20)) & 0xf'ffff;
  const int field = top + scale + 1023;
  return field <= 0 ? sign : sign | static_cast<uint32_t>(field) << 20 | fraction;
}

}  // namespace

uint32_t reciprocal_high(uint32_t x) {
  const uint32_t sign = x & high_sign, magnitude = x & ~high_sign;
  if (magnitude > high_infinity) return high_nan;
  if (magnitude == high_infinity) return sign;
  if (magnitude < 0x10'0000) return sign | high_infinity;
  const int exponent = static_cast<int>(magnitude >> 20) - 1023;
  const int64_t value = interpolate_reciprocal((magnitude & 0xf'ffff) << 3);
  return truncate_to_high(value, -24 - unit_bits - exponent, sign);
}

uint32_t reciprocal_sqrt_high(uint32_t x) {
  const uint32_t sign = x & high_sign, magnitude = x & ~high_sign;
  if (magnitude > high_infinity) return high_nan;
  if (magnitude < 0x10'0000) return sign | high_infinity;
  if (sign != 0) return high_nan;
  if (magnitude == high_infinity) return 0;
  const int exponent = static_cast<int>(magnitude >> 20) - 1023;
  const bool odd = (exponent & 1) != 0;
  const int half = (exponent - odd) / 2;
  const uint32_t fraction = (magnitude & 0xf'ffff) << 3;
  if (fraction == 0 && !odd) return static_cast<uint32_t>(1023 - half) << 20;
  return truncate_to_high(interpolate_rsqrt(odd, fraction), -24 - unit_bits - half, 0);
}

}  // namespace heddle::numeric::special
