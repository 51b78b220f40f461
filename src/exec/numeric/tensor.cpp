#include "exec/numeric/tensor.h"

#include <algorithm>

#include "exec/numeric/exact.h"
#include "exec/numeric/half.h"

namespace heddle::numeric {
namespace {

constexpr int kPlaces = 25;  // that count, below the largest exponent

struct Fields {
  int exponent, fraction, unused;  // bits; unused ones stand below the fraction
};
constexpr Fields fields_of(TensorFormat format) {
  switch (format) {
    case TensorFormat::F16: return {5, 10, 0};
    case TensorFormat::Bf16: return {8, 7, 0};
    case TensorFormat::Tf32: return {8, 10, 13};
    case TensorFormat::E4m3: return {4, 3, 0};
    case TensorFormat::E5m2: return {5, 2, 0};
    case TensorFormat::F32: return {8, 23, 0};
  }
  return {};
}

TensorNumber::Kind product_kind(const TensorNumber& a, const TensorNumber& b) {
  using Kind = TensorNumber::Kind;
  if (a.kind == Kind::Finite && b.kind == Kind::Finite) return Kind::Finite;
  const auto is_zero = [](const TensorNumber& x) { return x.kind == Kind::Finite && x.significand == 0; };
  if (a.kind == Kind::NotANumber || b.kind == Kind::NotANumber || is_zero(a) || is_zero(b)) return Kind::NotANumber;
  return Kind::Infinite;
}

// In units `places` below the largest exponent; what does not fit is cut off.
int64_t lined_up(uint64_t significand, int places) {
  if (places >= 0) return static_cast<int64_t>(significand << places);
  return places > -64 ? static_cast<int64_t>(significand >> -places) : 0;
}

}  // namespace

int fraction_bits(TensorFormat format) { return fields_of(format).fraction; }

TensorNumber take_apart(uint32_t bits, TensorFormat format) {
  const Fields fields = fields_of(format);
  bits >>= fields.unused;
  const auto fraction = bits & ((1U << fields.fraction) - 1);
  const int field = static_cast<int>(bits >> fields.fraction & ((1U << fields.exponent) - 1));
  const int highest = (1 << fields.exponent) - 1, bias = highest >> 1;
  TensorNumber number;
  number.negative = (bits >> (fields.exponent + fields.fraction) & 1) != 0;
  const bool special = format == TensorFormat::E4m3 ? field == highest && fraction == 7 : field == highest;
  if (special) {
    const bool infinite = fraction == 0;
    number.kind = infinite ? TensorNumber::Kind::Infinite : TensorNumber::Kind::NotANumber;
    return number;
  }
  number.significand = fraction | (field != 0 ? 1U << fields.fraction : 0);
  if (number.significand == 0) return number;
  number.exponent = std::max(field, 1) - bias;
  if (format == TensorFormat::E4m3)  // it is an f16 by now, whose exponent goes lower
    for (; number.significand < 8; number.significand <<= 1) --number.exponent;
  return number;
}

TensorSum::TensorSum(std::span<const TensorNumber> a, std::span<const TensorNumber> b, int fraction,
                     const TensorNumber& c, int fraction_of_c) {
  bool plus_infinity = false, minus_infinity = false, not_a_number = false, all_negative = true;
  int largest = TensorNumber::kZero;
  const auto note = [&](TensorNumber::Kind kind, bool negative, int exponent) {
    not_a_number |= kind == TensorNumber::Kind::NotANumber;
    if (kind == TensorNumber::Kind::Infinite) (negative ? minus_infinity : plus_infinity) = true;
    all_negative &= negative;
    largest = std::max(largest, exponent);
  };
  for (size_t i = 0; i < a.size(); ++i)
    note(product_kind(a[i], b[i]), a[i].negative != b[i].negative, a[i].exponent + b[i].exponent);
  note(c.kind, c.negative, c.exponent);
  if (not_a_number || (plus_infinity && minus_infinity)) {
    kind_ = Kind::NotANumber;
  } else if (plus_infinity || minus_infinity) {
    kind_ = plus_infinity ? Kind::PlusInfinity : Kind::MinusInfinity;
  } else {
    unit_ = largest - kPlaces;
    const auto add = [&](bool negative, int64_t value) { sum_ += negative ? -value : value; };
    for (size_t i = 0; i < a.size(); ++i) {
      const uint64_t product = uint64_t{a[i].significand} * b[i].significand;
      if (product == 0) continue;
      add(a[i].negative != b[i].negative, lined_up(product, a[i].exponent + b[i].exponent - fraction - unit_));
    }
    if (c.significand != 0) add(c.negative, lined_up(c.significand, c.exponent - fraction_of_c - unit_));
    minus_zero_ = all_negative && largest < TensorNumber::kZero / 2;
  }
}

uint32_t TensorSum::to_f32() const {
  if (kind_ == Kind::NotANumber) return 0x7fff'ffff;
  if (kind_ != Kind::Finite) return kind_ == Kind::PlusInfinity ? 0x7f80'0000 : 0xff80'0000;
  if (sum_ == 0) return minus_zero_ ? 0x8000'0000 : 0;
  const bool negative = sum_ < 0;
  const Exact exact{negative, unit_, static_cast<uint64_t>(negative ? -sum_ : sum_)};
  if (unit_ + bit_width(exact.significand) - 1 > 127) return negative ? 0xff80'0000 : 0x7f80'0000;
  return to_bits(round_to<float>(exact, Rounding::Rz));
}

uint16_t TensorSum::to_f16() const {
  if (kind_ == Kind::NotANumber) return 0x7fff;
  if (kind_ != Kind::Finite) return kind_ == Kind::PlusInfinity ? 0x7c00 : 0xfc00;
  if (sum_ == 0) return minus_zero_ ? 0x8000 : 0;
  const bool negative = sum_ < 0;
  const Exact exact{negative, unit_, static_cast<uint64_t>(negative ? -sum_ : sum_)};
  return to_bits(round_to<F16>(exact, Rounding::Rn));
}

}  // namespace heddle::numeric
