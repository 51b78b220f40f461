#include "exec/numeric/convert_packed.h"

namespace heddle::numeric {

namespace {

struct TinyLayout {
  int exponent_bits;
  int fraction_bits;
  uint8_t largest;  // the largest finite magnitude
};

constexpr TinyLayout layout_of(Tiny format) {
  switch (format) {
    case Tiny::E4m3: return {4, 3, 0x7e};
    case Tiny::E5m2: return {5, 2, 0x7b};
  }
  return {};
}

constexpr uint8_t tiny_nan = 0x7f;

}  // namespace

uint8_t to_tiny(Tiny format, float x) {
  const TinyLayout layout = layout_of(format);
  if (is_nan(x)) return tiny_nan;
  const auto sign = static_cast<uint8_t>(is_negative(x) ? 0x80 : 0);
  if (is_infinite(x)) return layout.largest | sign;

  const int smallest_exponent = 2 - (1 << (layout.exponent_bits - 1));
  const Exact exact = unpack(x);
  const int exponent = exact.exponent + bit_width(exact.significand) - 1;
  const int normal_exponent = exponent > smallest_exponent ? exponent : smallest_exponent;
  const int unit = normal_exponent - layout.fraction_bits;
  const Wide units = round_to_integer({false, exact.exponent - unit, exact.significand}, Rounding::Rn);
  const int field = normal_exponent - smallest_exponent;
  const Wide magnitude = (static_cast<Wide>(field) << layout.fraction_bits) + units;
  return static_cast<uint8_t>(magnitude < layout.largest ? magnitude : layout.largest) | sign;
}

F16 from_tiny(Tiny format, uint8_t x) {
  const auto sign = static_cast<uint16_t>((x & 0x80) << 8);
  const int magnitude = x & 0x7f;
  switch (format) {
    case Tiny::E5m2: return canonical_nan(F16{static_cast<uint16_t>(x << 8)});
    case Tiny::E4m3: {
      if (magnitude == tiny_nan) return {nan_bits<F16>};
      // As the bits of an f16 the value is too small by 2^8.
      const float scaled = widen(F16{static_cast<uint16_t>(magnitude << 7)}) * 0x1p8f;
      return {static_cast<uint16_t>(narrow<F16>(scaled).bits | sign)};
    }
  }
  return {0};
}

uint32_t convert_pack(int32_t a, int32_t b, int width, bool is_signed, uint32_t c) {
  const int32_t low = is_signed ? -(1 << (width - 1)) : 0;
  const int32_t high = (1 << (is_signed ? width - 1 : width)) - 1;
  const auto clamp = [&](int32_t x) {
    const auto clamped = static_cast<uint32_t>(x < low ? low : x > high ? high : x);
    return clamped & ((1u << width) - 1);
  };
  const uint32_t pair = clamp(a) << width | clamp(b);
  return width == 16 ? pair : c << (2 * width) | pair;
}

}  // namespace heddle::numeric
