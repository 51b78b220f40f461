#pragma once

// Sums of products as a tensor core makes them. These are the rules of an H200 (tests/data/tensor), found from its
// answers; PTX says only that no precision is lost in the products.
//
// Products are exact. They and the accumulator are lined up with the largest exponent among them (of a product: the sum
// of the exponents of its factors), cut off 25 places below it and added, all at once. The sum is cut off at a float,
// or rounded to nearest at an f16. Subnormal numbers count, infinities and NaN go by the rules for sums; a NaN has all
// bits set but its sign.

#include <cstdint>
#include <span>

namespace heddle::numeric {

// A number taken apart: significand * 2^(exponent - fraction bits of its format).
struct TensorNumber {
  enum class Kind : uint8_t { Finite, Infinite, NotANumber };
  static constexpr int kZero = -10'000;  // the exponent of zero, below all others
  Kind kind = Kind::Finite;
  bool negative = false;
  int exponent = kZero;
  uint32_t significand = 0;
};

enum class TensorFormat : uint8_t { F16, Bf16, Tf32, E4m3, E5m2, F32 };
int fraction_bits(TensorFormat format);
TensorNumber take_apart(uint32_t bits, TensorFormat format);

// The sum of a[i] * b[i] and c, of which a product has `fraction` fraction bits, those of both factors, and c its own.
class TensorSum {
 public:
  TensorSum(std::span<const TensorNumber> a, std::span<const TensorNumber> b, int fraction, const TensorNumber& c,
            int fraction_of_c);
  uint32_t to_f32() const;
  uint16_t to_f16() const;

 private:
  enum class Kind : uint8_t { Finite, PlusInfinity, MinusInfinity, NotANumber };
  Kind kind_ = Kind::Finite;
  bool minus_zero_ = false;
  int64_t sum_ = 0;
  int unit_ = 0;  // of the sum
};

}  // namespace heddle::numeric
