// The functions are written without branches, so that a row of them becomes vector code.
#include "exec/numeric/special_function.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "base/types.h"
#include "exec/numeric/format.h"
#include "exec/numeric/special_function_tables.h"

namespace heddle::numeric::special {

namespace {

constexpr uint32_t sign_bit = sign_mask<float>, infinity = infinity_bits<float>, nan = nan_bits<float>;
constexpr uint32_t smallest_normal = 1u << 23;  // as a magnitude; also one step of the exponent

uint32_t sign_of(uint32_t bits) { return bits & sign_bit; }
uint32_t magnitude_of(uint32_t bits) { return bits & ~sign_bit; }
uint32_t fraction_of(uint32_t bits) { return bits & fraction_mask<float>; }
// For operands that are cheap to compute both.
uint32_t choose(bool condition, uint32_t yes, uint32_t no) { return condition ? yes : no; }
int exponent_of(uint32_t bits) { return static_cast<int>(magnitude_of(bits) >> 23) - 127; }

// The square of 16 bits without the partial products below 2^17, divided by that: the unit's squarer saves them. Those
// of two bits from 8 on stay (but for bit 8 by itself), those of two bits below 8 do not, and of a bit 8 - k those with
// the bits from 8 + k on. Bit 0 of a 17-bit x takes no part.
uint16_t truncated_square(uint16_t x) {
  const auto upper = static_cast<uint16_t>(x >> 8);
  auto square = static_cast<uint16_t>(upper * upper >> 1);
  for (int k = 1; k < 8; ++k) {
    const auto chosen = static_cast<uint16_t>(x & -(x >> (8 - k) & 1));
    square = static_cast<uint16_t>(square + (chosen >> (8 + k)));
  }
  return square;
}

// The interpolated value is in units of 2^-17 of the result's last place.
constexpr int unit_bits = 17;
int64_t interpolate(const Coefficients& c, int32_t x, int32_t square, int32_t bias) {
  return int64_t{c.c0} * (1 << (unit_bits - 2)) + bias + int64_t{c.c1} * x + int64_t{c.c2} * (2 * square);
}

// 24 significant bits of value * 2^scale, the rest cut off. The results are normal numbers or zero.
uint32_t truncate_to_float(int64_t value, int scale, uint32_t sign) {
  // A double is normalised by the host: exactly, as the values are below 2^52.
  const double normal = from_bits<double>(static_cast<uint64_t>(value) | to_bits(0x1p52)) - 0x1p52;
  const auto upper = static_cast<int64_t>(to_bits(normal) >> 29);
  const int64_t magnitude = upper + (int64_t{scale} + 127 - 1023) * smallest_normal;
  return sign | choose(magnitude < smallest_normal, 0, static_cast<uint32_t>(magnitude));
}

// The same times 2^exponent where the value is a number in [1/2, 1]: 2^40 to 2^41 units.
uint32_t scaled_fraction(int64_t value, int exponent, uint32_t sign) {
  const uint32_t significand = static_cast<uint32_t>(value >> unit_bits);
  const uint32_t magnitude = significand + static_cast<uint32_t>(exponent + 125) * smallest_normal;
  return sign | choose(static_cast<int32_t>(magnitude) < int32_t{smallest_normal}, 0, magnitude);
}

template <size_t entries>
constexpr std::array<Coefficients, 2 * entries> joined(const std::array<Coefficients, entries>& low,
                                                       const std::array<Coefficients, entries>& high) {
  std::array<Coefficients, 2 * entries> both{};
  for (size_t i = 0; i < entries; ++i) {
    both[i] = low[i];
    both[entries + i] = high[i];
  }
  return both;
}

// A function of the unit: its table, `argument` gives the index and, in the lower x_bits, x; `result` makes bits of
// the bits of the argument and the interpolated value.
struct Reciprocal {
  static constexpr auto& table = reciprocal_table;
  static constexpr int x_bits = 16, bias = 8092;
  static uint32_t argument(uint32_t bits) { return fraction_of(bits); }
  static uint32_t result(uint32_t bits, int64_t value) {
    const uint32_t sign = sign_of(bits), magnitude = magnitude_of(bits);
    const uint32_t finite = scaled_fraction(value, -exponent_of(bits), sign);
    const uint32_t number = choose(magnitude == infinity, sign, choose(magnitude > infinity, nan, finite));
    return choose(magnitude < smallest_normal, sign | infinity, number);
  }
};

// The tables of the roots are for [1, 2) and [2, 4): the lowest bit of the exponent, which is biased by an odd number,
// chooses.
uint32_t root_argument(uint32_t bits) { return (bits & 0xff'ffff) ^ 0x80'0000; }
int half_exponent(uint32_t bits) { return exponent_of(bits) >> 1; }

struct ReciprocalSqrt {
  static constexpr auto table = joined(rsqrt_low_table, rsqrt_high_table);
  static constexpr int x_bits = 17, bias = 32767;
  static uint32_t argument(uint32_t bits) { return root_argument(bits); }
  static uint32_t result(uint32_t bits, int64_t value) {
    const int half = half_exponent(bits);
    const uint32_t inexact = scaled_fraction(value, -half, 0);
    // An even power of two is exact, which the table misses by one unit.
    const uint32_t finite = choose(root_argument(bits) == 0, static_cast<uint32_t>(127 - half) << 23, inexact);
    const uint32_t number = choose(bits == infinity, 0, choose(bits > infinity, nan, finite));
    return choose(magnitude_of(bits) < smallest_normal, sign_of(bits) | infinity, number);
  }
};

struct SquareRoot {
  static constexpr auto table = joined(sqrt_low_table, sqrt_high_table);
  static constexpr int x_bits = 17, bias = 32767;
  static uint32_t argument(uint32_t bits) { return root_argument(bits); }
  static uint32_t result(uint32_t bits, int64_t value) {
    const uint32_t finite = scaled_fraction(value, half_exponent(bits) + 1, 0);
    const uint32_t number = choose(bits == infinity, infinity, choose(bits > infinity, nan, finite));
    return choose(magnitude_of(bits) < smallest_normal, sign_of(bits), number);
  }
};

struct Log2 {
  static constexpr auto& table = log2_table;
  static constexpr int x_bits = 17, bias = 6696;
  static uint32_t argument(uint32_t bits) { return fraction_of(bits); }
  static uint32_t result(uint32_t bits, int64_t value) {
    // The sum keeps 36 fraction bits; a negative one is complemented, not negated.
    constexpr int kept = 36;
    const int64_t total = int64_t{exponent_of(bits)} * (int64_t{1} << kept) + (value >> (24 + unit_bits - kept));
    const int64_t negative = total >> 63;  // all ones, or none
    const uint32_t finite = truncate_to_float(total ^ negative, -kept, sign_of(static_cast<uint32_t>(negative)));
    const uint32_t positive = choose(bits == one_bits<float>, 0, choose(bits == infinity, infinity, finite));
    const uint32_t number = choose(bits > infinity, nan, positive);
    return choose(magnitude_of(bits) < smallest_normal, sign_bit | infinity, number);
  }
};

struct Exp2 {
  static constexpr auto& table = exp2_table;
  static constexpr int x_bits = 17, bias = 24456;
  // 23 fraction bits, cut off; a negative argument is complemented, unless it is integral then. Results of arguments
  // from 128 on are infinite, those below -150 zero.
  static int32_t fixed(uint32_t bits) {
    const uint32_t magnitude = magnitude_of(bits), largest = to_bits(151.0f);
    const float bounded = from_bits<float>(choose(magnitude < largest, magnitude, largest));
    const auto fixed = static_cast<int32_t>(bounded * 0x1p23f);
    const auto negative = static_cast<int32_t>(bits) >> 31, integral = static_cast<int32_t>((fixed & 0x7f'ffff) == 0);
    return (fixed ^ negative) + (negative & integral);
  }
  static uint32_t argument(uint32_t bits) { return fraction_of(static_cast<uint32_t>(fixed(bits))); }
  static uint32_t result(uint32_t bits, int64_t value) {
    const int exponent = fixed(bits) >> 23;
    const uint32_t finite = scaled_fraction(value, exponent + 1, 0);
    return choose(magnitude_of(bits) > infinity, nan, choose(exponent >= 128, infinity, finite));
  }
};

// |turns| modulo one, in 2^-25, cut off.
uint32_t phase_of(uint32_t bits) {
  const int shift = exponent_of(bits) - 23 + 25;
  const uint32_t significand = fraction_of(bits) | 0x80'0000;
  const int right = shift < -31 ? 31 : shift < 0 ? -shift : 0, left = shift > 25 ? 25 : shift < 0 ? 0 : shift;
  return (significand >> right << left) & ((1u << 25) - 1);
}

// sin of a 25-bit fraction of a turn. Odd quarters run backwards, by complement.
uint32_t quarter(uint32_t phase) { return fraction_of(phase ^ (0 - (phase >> 23 & 1))); }
uint32_t sine_of(uint32_t bits, uint32_t phase, uint32_t sign, int64_t value) {
  const uint32_t finite = truncate_to_float(value, -24 - unit_bits, sign ^ sign_of(phase << 7));
  return choose(magnitude_of(bits) >= infinity, nan, finite);
}

struct Sine {
  static constexpr auto& table = sine_table;
  static constexpr int x_bits = 17, bias = 0;
  static uint32_t argument(uint32_t bits) { return quarter(phase_of(bits)); }
  static uint32_t result(uint32_t bits, int64_t value) { return sine_of(bits, phase_of(bits), sign_of(bits), value); }
};

struct Cosine {
  static constexpr auto& table = sine_table;
  static constexpr int x_bits = 17, bias = 0;
  static uint32_t phase(uint32_t bits) { return phase_of(bits) + (1u << 23); }
  static uint32_t argument(uint32_t bits) { return quarter(phase(bits)); }
  static uint32_t result(uint32_t bits, int64_t value) { return sine_of(bits, phase(bits), 0, value); }
};

// Where each binade of tanh's argument starts in the table, and how many upper bits of the fraction
// index it there. The result is relative to the argument's exponent, but never above that of 1/2.
struct TanhBinade {
  uint8_t start, index_bits;
};
constexpr int first_tanh_exponent = -8, end_of_tanh_exponent = 3;
constexpr std::array<TanhBinade, 11> tanh_binades{
    {{0, 0}, {1, 0}, {2, 0}, {3, 1}, {5, 1}, {7, 2}, {11, 2}, {15, 2}, {19, 3}, {27, 4}, {43, 3}}};

template <int x_bits>
int32_t x_of(uint32_t argument) {
  return static_cast<int32_t>(argument & ((1u << x_bits) - 1));
}
template <int x_bits>
uint16_t upper_16_of(uint32_t argument) {
  return static_cast<uint16_t>(argument >> (x_bits - 16));
}

template <class F>
int64_t interpolated(uint32_t argument) {
  return interpolate(F::table[argument >> F::x_bits], x_of<F::x_bits>(argument),
                     truncated_square(upper_16_of<F::x_bits>(argument)), F::bias);
}

template <class F>
float one(float x) {
  return from_bits<float>(F::result(to_bits(x), interpolated<F>(F::argument(to_bits(x)))));
}

// Step by step, each its own loop: all but the look-up become vector code.
template <class F>
void row(const float* from, float* to) {
  uint32_t bits[kRow], index[kRow];
  int32_t x[kRow];
  uint16_t square[kRow];
  Coefficients coefficients[kRow];
  int64_t value[kRow];
  std::memcpy(bits, from, sizeof bits);
  for (unsigned i = 0; i < kRow; ++i) {
    const uint32_t argument = F::argument(bits[i]);
    index[i] = argument >> F::x_bits;
    x[i] = x_of<F::x_bits>(argument);
    square[i] = upper_16_of<F::x_bits>(argument);
  }
  for (unsigned i = 0; i < kRow; ++i) square[i] = truncated_square(square[i]);
  for (unsigned i = 0; i < kRow; ++i) coefficients[i] = F::table[index[i]];
  for (unsigned i = 0; i < kRow; ++i) value[i] = interpolate(coefficients[i], x[i], square[i], F::bias);
  for (unsigned i = 0; i < kRow; ++i) bits[i] = F::result(bits[i], value[i]);
  std::memcpy(to, bits, sizeof bits);
}

}  // namespace

float reciprocal(float x) { return one<Reciprocal>(x); }
float reciprocal_sqrt(float x) { return one<ReciprocalSqrt>(x); }
float square_root(float x) { return one<SquareRoot>(x); }
float log2(float x) { return one<Log2>(x); }
float exp2(float x) { return one<Exp2>(x); }
float sine(float turns) { return one<Sine>(turns); }
float cosine(float turns) { return one<Cosine>(turns); }

void reciprocal(const float* from, float* to) { row<Reciprocal>(from, to); }
void reciprocal_sqrt(const float* from, float* to) { row<ReciprocalSqrt>(from, to); }
void square_root(const float* from, float* to) { row<SquareRoot>(from, to); }
void log2(const float* from, float* to) { row<Log2>(from, to); }
void exp2(const float* from, float* to) { row<Exp2>(from, to); }
void sine(const float* from, float* to) { row<Sine>(from, to); }
void cosine(const float* from, float* to) { row<Cosine>(from, to); }

float tanh(float x) {
  const uint32_t bits = to_bits(x), sign = sign_of(bits);
  const int exponent = exponent_of(bits);
  if (is_nan(x)) return from_bits<float>(nan);
  if (exponent < first_tanh_exponent) return x;
  if (exponent >= end_of_tanh_exponent) return from_bits<float>(sign | one_bits<float>);
  const TanhBinade binade = tanh_binades[static_cast<unsigned>(exponent - first_tanh_exponent)];
  const uint32_t entry = binade.start + (fraction_of(bits) >> (23 - binade.index_bits));
  // The 17 bits below the index; lower ones are not looked at.
  const uint32_t argument = fraction_of(bits) >> (23 - binade.index_bits - 17);
  const int64_t value =
      interpolate(tanh_table[entry], x_of<17>(argument), truncated_square(upper_16_of<17>(argument)), 0);
  return from_bits<float>(truncate_to_float(value, (exponent < -1 ? exponent : -1) - 23 - unit_bits, sign));
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
  const int64_t value = interpolated<Reciprocal>((magnitude & 0xf'ffff) << 3);
  return truncate_to_high(value, -24 - unit_bits - exponent, sign);
}

uint32_t reciprocal_sqrt_high(uint32_t x) {
  const uint32_t sign = x & high_sign, magnitude = x & ~high_sign;
  if (magnitude > high_infinity) return high_nan;
  if (magnitude < 0x10'0000) return sign | high_infinity;
  if (sign != 0) return high_nan;
  if (magnitude == high_infinity) return 0;
  const int exponent = static_cast<int>(magnitude >> 20) - 1023;
  const int half = exponent >> 1;
  const uint32_t argument = root_argument((magnitude & 0x1f'ffff) << 3);
  if (argument == 0) return static_cast<uint32_t>(1023 - half) << 20;
  return truncate_to_high(interpolated<ReciprocalSqrt>(argument), -24 - unit_bits - half, 0);
}

}  // namespace heddle::numeric::special
