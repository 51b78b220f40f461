#pragma once

// cvt to and from packed and narrow formats: tf32, e4m3, e5m2, f16x2 with satfinite, and cvt.pack.

#include "exec/numeric/convert_float.h"
#include "exec/numeric/packed.h"

namespace heddle::numeric {

// .satfinite: an overflow gives the largest finite number of its sign; NaN stays NaN.
template <class F>
constexpr F saturate_finite(F x) {
  return is_infinite(x) ? from_bits<F>(static_cast<BitsOf<F>>(to_bits(x) - 1)) : x;
}

// tf32 lives in the upper 19 bits of a b32; the rest is zero.
inline uint32_t keep_tf32(uint32_t bits) { return bits & ~0x1fffu; }
inline uint32_t to_tf32(float x, Rounding rounding) {
  const uint32_t bits = to_bits(x);
  if (is_nan(x)) return keep_tf32(nan_bits<float>);
  const uint32_t increment = rounding == Rounding::Rn ? 0xfff + (bits >> 13 & 1) : 0;
  return keep_tf32(bits + (is_infinite(x) ? 0 : increment));
}
// .rna: ties away from zero. The upper bits of a NaN pass.
inline uint32_t to_tf32_away(float x) {
  const uint32_t bits = to_bits(x);
  return keep_tf32(magnitude_bits(x) >= infinity_bits<float> ? bits : bits + 0x1000);
}

// .satfinite of a tf32 leaves NaNs alone, but after .rna it is one step down for them, too.
inline uint32_t saturate_finite_tf32(uint32_t tf32) {
  return (tf32 & ~sign_mask<float>) == infinity_bits<float> ? tf32 - 0x2000 : tf32;
}
inline uint32_t saturate_finite_tf32_away(uint32_t tf32) {
  return (tf32 & ~sign_mask<float>) >= infinity_bits<float> ? tf32 - 0x2000 : tf32;
}

// The two 8-bit floats. e4m3 has no infinity and one NaN, 0x7f; e5m2 is the upper half of an f16.
enum class Tiny : uint8_t { E4m3, E5m2 };

// To nearest, .satfinite, from f32 or f16. NaN becomes 0x7f.
uint8_t to_tiny(Tiny format, float x);
inline uint8_t to_tiny(Tiny format, F16 x) { return to_tiny(format, widen(x)); }
// Exact; NaN becomes 0x7fff.
F16 from_tiny(Tiny format, uint8_t x);

// cvt.pack.sat: the two clamped values in the low bits, the first above the second; then c from the
// right, when the type is narrower than 16 bits.
uint32_t convert_pack(int32_t a, int32_t b, int width, bool is_signed, uint32_t c);

}  // namespace heddle::numeric
