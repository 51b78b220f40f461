#pragma once

// Correct rounding in any mode and any format, in integers. An operation computes its exact result
// as an Exact (with a sticky lowest bit where the result does not fit), and round_to makes a float
// of it. These are the cold paths and the yardstick of the hot ones; they never touch the host's
// floating-point unit, so the host's rounding mode and NaN habits do not matter.

#include <bit>
#include <cstdint>

#include "exec/numeric/format.h"
#include "exec/numeric/rounding.h"

namespace heddle::numeric {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

// (-1)^negative * significand * 2^exponent, finite. The lowest bit of the significand may be sticky:
// an OR of everything below it; then the significand has at least 60 bits.
struct Exact {
  bool negative;
  int exponent;
  Wide significand;
};

inline int bit_width(Wide x) {
  const auto high = static_cast<uint64_t>(x >> 64);
  const int low_width = static_cast<int>(std::bit_width(static_cast<uint64_t>(x)));
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high)) : low_width;
}

// x >> shift, with what is lost kept in the lowest bit.
inline Wide shift_right_sticky(Wide x, int shift) {
  if (shift <= 0) return x;
  if (shift >= 128) return x != 0;
  const Wide lost = x & ((Wide{1} << shift) - 1);
  return (x >> shift) | (lost != 0);
}

// Finite x only.
template <class F>
Exact unpack(F x) {
  constexpr int bias = (1 << (Format<F>::exponent_bits - 1)) - 1;
  const auto magnitude = magnitude_bits(x);
  const int field = static_cast<int>(magnitude >> Format<F>::fraction_bits);
  Wide significand = magnitude & fraction_mask<F>;
  if (field != 0) significand |= Wide{1} << Format<F>::fraction_bits;
  return {is_negative(x), (field != 0 ? field : 1) - bias - Format<F>::fraction_bits, significand};
}

// Does a magnitude whose lost part compares with half a unit as given grow by one unit?
inline bool rounds_up(Rounding rounding, bool negative, bool odd, Wide lost, Wide half) {
  switch (rounding) {
    case Rounding::Rn: return lost > half || (lost == half && odd);
    case Rounding::Rz: return false;
    case Rounding::Rm: return negative && lost != 0;
    case Rounding::Rp: return !negative && lost != 0;
  }
  return false;
}

// The integer nearest to x in the given direction, as a magnitude; x is significand * 2^exponent and
// below 2^127. Sets nothing else: the sign is x's own.
inline Wide round_to_integer(const Exact& x, Rounding rounding) {
  if (x.exponent >= 0) return x.significand << x.exponent;
  const int shift = -x.exponent;
  if (shift > 127) {
    // Less than one half; keep it nonzero for the directed modes.
    const Wide lost = x.significand != 0;
    return rounds_up(rounding, x.negative, false, lost, 2);
  }
  const Wide kept = x.significand >> shift;
  const Wide lost = x.significand & ((Wide{1} << shift) - 1);
  const Wide half = Wide{1} << (shift - 1);
  return kept + rounds_up(rounding, x.negative, (kept & 1) != 0, lost, half);
}

template <class F>
F overflow(bool negative, Rounding rounding) {
  const bool to_infinity =
      rounding == Rounding::Rn || (rounding == Rounding::Rp && !negative) || (rounding == Rounding::Rm && negative);
  const auto magnitude = static_cast<BitsOf<F>>(infinity_bits<F> - !to_infinity);
  return from_bits<F>(static_cast<BitsOf<F>>(magnitude | (negative ? sign_mask<F> : 0)));
}

// Would x, below the smallest normal number, reach it if the exponent had no lower end? That is how the
// hardware decides what .ftz flushes: rounding to the subnormal grid reaches it too early.
template <class F>
bool rounds_to_normal(const Exact& x, int exponent, Rounding rounding) {
  constexpr int fraction_bits = Format<F>::fraction_bits;
  const int unit = exponent - fraction_bits;
  const Wide units = round_to_integer({x.negative, x.exponent - unit, x.significand}, rounding);
  const bool carried = (units >> (fraction_bits + 1)) != 0;
  return carried && exponent == 1 - (1 << (Format<F>::exponent_bits - 1));
}

// With ftz, results below the smallest normal number become zero.
template <class F>
F round_to(const Exact& x, Rounding rounding, bool ftz = false) {
  constexpr int fraction_bits = Format<F>::fraction_bits;
  constexpr int bias = (1 << (Format<F>::exponent_bits - 1)) - 1;
  constexpr int smallest_exponent = 1 - bias;
  const auto sign = x.negative ? sign_mask<F> : BitsOf<F>{0};
  if (x.significand == 0) return from_bits<F>(sign);

  const int exponent = x.exponent + bit_width(x.significand) - 1;
  if (exponent > bias) return overflow<F>(x.negative, rounding);
  if (ftz && exponent < smallest_exponent && !rounds_to_normal<F>(x, exponent, rounding)) return from_bits<F>(sign);

  const int normal_exponent = exponent < smallest_exponent ? smallest_exponent : exponent;
  // In units of the last place the rest is the rounding of an integer.
  const int unit = normal_exponent - fraction_bits;
  const Wide units = round_to_integer({x.negative, x.exponent - unit, x.significand}, rounding);
  // The implicit bit of a normal number, and a carry out of the fraction, both add to the field.
  const auto field =
      static_cast<BitsOf<F>>(static_cast<BitsOf<F>>(normal_exponent - smallest_exponent) << fraction_bits);
  const auto magnitude = static_cast<BitsOf<F>>(field + static_cast<BitsOf<F>>(units));
  if (magnitude >= infinity_bits<F>) return overflow<F>(x.negative, rounding);
  return from_bits<F>(static_cast<BitsOf<F>>(magnitude | sign));
}

inline Exact product(const Exact& a, const Exact& b) {
  return {a.negative != b.negative, a.exponent + b.exponent, a.significand * b.significand};
}

// Left-justified to bit 125, so that two of them add without overflow and lose nothing that matters:
// significands have at most 106 bits, hence a shift of 20 is exact, and a larger one cannot cancel.
inline Exact justified(const Exact& x) {
  const int shift = 126 - bit_width(x.significand);
  return {x.negative, x.exponent - shift, x.significand << shift};
}

// a + b. An exact zero is +0, except that it is -0 under Rm, and that equal signs are kept.
inline Exact sum(const Exact& a, const Exact& b, Rounding rounding) {
  if (a.significand == 0 && b.significand == 0) {
    const bool negative = a.negative == b.negative ? a.negative : rounding == Rounding::Rm;
    return {negative, 0, 0};
  }
  if (a.significand == 0) return b;
  if (b.significand == 0) return a;
  Exact large = justified(a), small = justified(b);
  if (large.exponent < small.exponent || (large.exponent == small.exponent && large.significand < small.significand)) {
    const Exact other = large;
    large = small;
    small = other;
  }
  const Wide aligned = shift_right_sticky(small.significand, large.exponent - small.exponent);
  if (large.negative == small.negative) return {large.negative, large.exponent, large.significand + aligned};
  if (large.significand == aligned) return {rounding == Rounding::Rm, 0, 0};
  return {large.negative, large.exponent, large.significand - aligned};
}

// b is not zero.
inline Exact quotient(const Exact& a, const Exact& b) {
  if (a.significand == 0) return {a.negative != b.negative, 0, 0};
  const int shift = 127 - bit_width(a.significand);
  const Wide numerator = a.significand << shift;
  const Wide whole = numerator / b.significand;
  const bool rest = whole * b.significand != numerator;
  return {a.negative != b.negative, a.exponent - shift - b.exponent, whole | rest};
}

// a is not negative. Bit by bit: 63 bits of root are plenty for every format.
inline Exact square_root(const Exact& a) {
  if (a.significand == 0) return a;
  int shift = 126 - bit_width(a.significand);
  if (((a.exponent - shift) & 1) != 0) --shift;
  Wide rest = a.significand << shift;
  Wide root = 0;
  for (Wide bit = Wide{1} << 124; bit != 0; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return {false, (a.exponent - shift) / 2, root | (rest != 0)};
}

}  // namespace heddle::numeric
