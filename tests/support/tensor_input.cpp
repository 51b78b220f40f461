// The numbers of a tile.
#include <algorithm>

#include "support/tensor_probe.h"

namespace heddle::test {
namespace {

class Draw {
 public:
  explicit Draw(uint64_t seed) : state_(seed) {}
  uint64_t bits() {  // SplitMix64
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  int between(int low, int high) { return low + static_cast<int>(bits() % static_cast<uint64_t>(high - low + 1)); }
  bool one_in(unsigned n) { return bits() % n == 0; }

 private:
  uint64_t state_;
};

struct Shape {
  unsigned width, exponent, mantissa, unused;  // bits; unused ones stand below the mantissa
};

Shape shape_of(Element element) {
  switch (element) {
    case Element::F16: return {16, 5, 10, 0};
    case Element::Bf16: return {16, 8, 7, 0};
    case Element::Tf32: return {32, 8, 10, 13};
    case Element::E4m3: return {8, 4, 3, 0};
    case Element::E5m2: return {8, 5, 2, 0};
    case Element::F32: return {32, 8, 23, 0};
    case Element::F64: return {64, 11, 52, 0};
    case Element::Bits: break;
  }
  return {32, 0, 0, 0};
}

// sign, exponent and mantissa, as near to 2^exponent as the format has it without infinities.
uint64_t number(const Shape& shape, bool minus, int exponent, uint64_t mantissa) {
  const int bias = (1 << (shape.exponent - 1)) - 1, most = (1 << shape.exponent) - 2;
  const auto field = static_cast<uint64_t>(std::clamp(exponent + bias, 0, most));
  const unsigned below = shape.mantissa + shape.unused;
  return (static_cast<uint64_t>(minus) << (shape.width - 1)) | (field << below) |
         (mantissa & ((uint64_t{1} << below) - 1));
}

enum TileKind : unsigned { kOrdinary, kAll, kSparse, kAnyBits, kSubnormal, kCancel, kOneLarge, kOverflow, kKinds };

// `place`: of the element in its word, for products beside each other.
uint64_t draw(Draw& random, Element element, unsigned tile, unsigned place, uint64_t before) {
  const Shape shape = shape_of(element);
  if (shape.exponent == 0) return random.bits();
  const int bias = (1 << (shape.exponent - 1)) - 1;
  const bool wide = element == Element::F32 || element == Element::F64;  // an accumulator, or both
  const bool minus = random.one_in(2);
  uint64_t mantissa = random.bits();
  if (tile / kKinds % 2 == 0) mantissa &= ~((uint64_t{1} << shape.unused) - 1);
  switch (tile % kKinds) {
    case kOrdinary: return number(shape, minus, random.between(-2, 2), mantissa);
    case kAll: return number(shape, minus, random.between(-std::min(bias, 20), std::min(bias, 12)), mantissa);
    case kSparse: {
      const uint64_t few = random.one_in(2) ? 0 : mantissa & (mantissa >> 7) & (mantissa >> 17);
      if (random.one_in(wide ? 4 : 2)) return 0;
      return number(shape, minus, random.between(-std::min(bias, 14), std::min(bias, 14)), few);
    }
    case kAnyBits: return random.one_in(3) ? random.bits() : number(shape, minus, random.between(-4, 4), mantissa);
    case kSubnormal: return number(shape, minus, (wide ? -140 : -bias) + random.between(0, wide ? 20 : 4), mantissa);
    case kCancel:
      if (place % 2 == 1)
        return before ^ (uint64_t{1} << (shape.width - 1)) ^ (random.one_in(2) ? 1U << shape.unused : 0);
      return number(shape, minus, random.between(wide ? -16 : -1, wide ? 2 : 1), mantissa);
    case kOneLarge:
      return number(shape, minus, random.one_in(8) ? random.between(5, 9) : random.between(-6, -1), mantissa);
    case kOverflow: {
      const int exponent = bias - random.between(0, wide ? 4 : bias / 2);
      return number(shape, minus && random.one_in(2), exponent, mantissa);
    }
    default: return 0;
  }
}

}  // namespace

std::vector<uint32_t> tile_input(const TensorProbe& probe, unsigned tile) {
  uint64_t seed = tile * 0x100000001B3ULL;
  for (const char c : probe.name) seed = seed * 31 + static_cast<unsigned char>(c);
  Draw random(seed);
  std::vector<uint32_t> words;
  for (const TensorProbe::Part& part : probe.inputs) {
    const unsigned width = shape_of(part.element).width;
    uint64_t before = 0;
    for (unsigned bit = 0; bit < part.words * 32; bit += width) {
      if (bit % 32 == 0) words.push_back(0);
      before = draw(random, part.element, tile, bit / width, before);
      words.back() |= static_cast<uint32_t>(before << (bit % 32));
      if (width == 64) words.push_back(static_cast<uint32_t>(before >> 32));
    }
  }
  return words;
}

}  // namespace heddle::test
