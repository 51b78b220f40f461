#pragma once

// f16 and bf16 arithmetic, correctly rounded to nearest. Operands are widened, the exact (or
// rounded-to-odd) result is narrowed once. PTX has no other rounding mode for these types; .ftz
// exists for f16 only. Packed forms: see packed.h. The mixed forms (add.f32.f16, fma.f32.bf16, ...) are
// the f32 operations on widened operands.

#include "exec/numeric/fused.h"
#include "exec/numeric/soft_float.h"

namespace heddle::numeric {

// Exact. The payload of a NaN is kept where it fits, but nothing may depend on it.
inline float widen(F16 x) {
  // As bits of a float the magnitude is too small by 2^112, subnormals included.
  const auto scaled = from_bits<float>(static_cast<uint32_t>(x.bits & 0x7fff) << 13) * 0x1p112f;
  const uint32_t special = (x.bits & 0x7fff) >= 0x7c00 ? infinity_bits<float> : 0;
  const uint32_t sign = static_cast<uint32_t>(x.bits & 0x8000) << 16;
  return from_bits<float>(to_bits(scaled) | special | sign);
}
inline float widen(Bf16 x) { return from_bits<float>(static_cast<uint32_t>(x.bits) << 16); }

// Rounds float or double to nearest; under ftz what would stay below the smallest normal number, if the
// exponent had no lower end, becomes zero.
template <class To, class From>
To narrow(From x, bool ftz = false) {
  using Bits = BitsOf<From>;
  constexpr int source_bias = (1 << (Format<From>::exponent_bits - 1)) - 1;
  constexpr int target_bias = (1 << (Format<To>::exponent_bits - 1)) - 1;
  constexpr int dropped = Format<From>::fraction_bits - Format<To>::fraction_bits;
  constexpr int shift_limit = sizeof(From) * 8 - 1;

  const Bits magnitude = magnitude_bits(x);
  const int field = static_cast<int>(magnitude >> Format<From>::fraction_bits);
  const int exponent = (field > 0 ? field : 1) - source_bias;
  const Bits implicit = field > 0 ? Bits{1} << Format<From>::fraction_bits : 0;
  const Bits significand = (magnitude & fraction_mask<From>) | implicit;

  // Below the target's smallest exponent the unit stays and the significand moves right.
  const int below = 1 - target_bias - exponent;
  const int depth = below > 0 ? below : 0;
  const int shift = dropped + depth < shift_limit ? dropped + depth : shift_limit;
  const Bits odd = (significand >> shift) & 1;
  const Bits half_less_one = (Bits{1} << (shift - 1)) - 1;
  const Bits units = (significand + half_less_one + odd) >> shift;
  const Bits rounded = (static_cast<Bits>(below > 0 ? 0 : -below) << Format<To>::fraction_bits) + units;

  const Bits infinity = infinity_bits<To>;
  Bits result = rounded < infinity ? rounded : infinity;
  constexpr Bits smallest_normal = static_cast<Bits>(source_bias - target_bias + 1) << Format<From>::fraction_bits;
  constexpr Bits least_unflushed = smallest_normal - (Bits{1} << (dropped - 1));
  result = ftz && magnitude < least_unflushed ? 0 : result;
  const auto sign = static_cast<uint16_t>(is_negative(x) ? 0x8000 : 0);
  const auto number = static_cast<uint16_t>(static_cast<uint16_t>(result) | sign);
  return {is_nan(x) ? nan_bits<To> : number};
}

inline F16 add(F16 a, F16 b) { return narrow<F16>(widen(a) + widen(b)); }
inline F16 sub(F16 a, F16 b) { return narrow<F16>(widen(a) - widen(b)); }
inline F16 mul(F16 a, F16 b) { return narrow<F16>(widen(a) * widen(b)); }
inline F16 fma(F16 a, F16 b, F16 c) { return narrow<F16>(add_to_odd(widen(a) * widen(b), widen(c))); }

inline F16 add_ftz(F16 a, F16 b) { return narrow<F16>(widen(flush(a)) + widen(flush(b)), true); }
inline F16 sub_ftz(F16 a, F16 b) { return narrow<F16>(widen(flush(a)) - widen(flush(b)), true); }
inline F16 mul_ftz(F16 a, F16 b) { return narrow<F16>(widen(flush(a)) * widen(flush(b)), true); }
inline F16 fma_ftz(F16 a, F16 b, F16 c) {
  return narrow<F16>(add_to_odd(widen(flush(a)) * widen(flush(b)), widen(flush(c))), true);
}

// A product of bf16 can be subnormal in f32, so these go through double.
inline Bf16 add(Bf16 a, Bf16 b) { return narrow<Bf16>(static_cast<double>(widen(a)) + widen(b)); }
inline Bf16 sub(Bf16 a, Bf16 b) { return narrow<Bf16>(static_cast<double>(widen(a)) - widen(b)); }
inline Bf16 mul(Bf16 a, Bf16 b) { return narrow<Bf16>(static_cast<double>(widen(a)) * widen(b)); }
inline Bf16 fma(Bf16 a, Bf16 b, Bf16 c) {
  return narrow<Bf16>(add_to_odd(static_cast<double>(widen(a)) * widen(b), widen(c)));
}

}  // namespace heddle::numeric
