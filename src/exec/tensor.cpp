// Products of matrices that lie in the registers of a warp.
#include "exec/numeric/tensor.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "exec/handlers.h"
#include "exec/matrix.h"
#include "exec/numeric/float32.h"
#include "exec/numeric/float64.h"
#include "exec/numeric/half.h"

namespace heddle {
namespace {

using numeric::TensorFormat;
using numeric::TensorNumber;
using numeric::TensorSum;

TensorFormat format_of(Type type) {
  switch (type) {
    case Type::F16: return TensorFormat::F16;
    case Type::BF16: return TensorFormat::Bf16;
    case Type::TF32: return TensorFormat::Tf32;
    case Type::E4M3: return TensorFormat::E4m3;
    case Type::E5M2: return TensorFormat::E5m2;
    case Type::F32: return TensorFormat::F32;
    default: throw InternalError("a tensor core has no such format");
  }
}

// The operands of a product, and its result.
struct Product {
  const Instruction& i;
  Matrix a, b, c, d;

  explicit Product(const Instruction& instruction)
      : i(instruction),
        a(Part::A, instruction, instruction.source_type),
        b(Part::B, instruction, instruction.second_source_type),
        c(Part::C, instruction, instruction.third_source_type),
        d(Part::C, instruction, instruction.type) {}

  void read(const Context& context, Hw first) {
    a.read(context, i.src.data(), first);
    b.read(context, i.src.data() + a.registers(), first);
    c.read(context, i.src.data() + a.registers() + b.registers(), first);
  }
  // f(row, column, pair) gives the bits of an element.
  template <class F>
  void write(const Context& context, Hw first, F&& f) {
    for (unsigned pair = 0; pair < d.pairs(); ++pair)
      for (unsigned row = 0; row < d.rows(); ++row)
        for (unsigned column = 0; column < d.columns(); ++column) d.at(row, column, pair) = f(row, column, pair);
    d.write(context, i.dst.data(), first);
  }
};

// The rows of A, or the columns of B, taken apart.
class Factors {
 public:
  // Of the elements along a line only those for which `take` is true.
  template <class Take>
  Factors(const Matrix& matrix, bool rows, Type type, Take&& take) {
    const unsigned lines = rows ? matrix.rows() : matrix.columns(), length = rows ? matrix.columns() : matrix.rows();
    for (unsigned line = 0; line < lines; ++line)
      for (unsigned k = 0; k < length; ++k)
        if (take(k)) add(rows ? matrix.at(line, k) : matrix.at(k, line), type);
    length_ = numbers_.size() / lines;
  }
  std::span<const TensorNumber> line(unsigned number) const {
    return std::span(numbers_).subspan(number * length_, length_);
  }

 private:
  void add(uint64_t bits, Type type) {
    numbers_.push_back(numeric::take_apart(static_cast<uint32_t>(bits), format_of(type)));
  }
  size_t length_ = 0;
  std::vector<TensorNumber> numbers_;
};

int fraction_of_products(const Instruction& i) {
  return numeric::fraction_bits(format_of(i.source_type)) + numeric::fraction_bits(format_of(i.second_source_type));
}

void multiply_floats(Context& context, const Instruction& i, const Lanes& lanes) {
  need_all_lanes(context, i, lanes);
  Product product(i);
  product.read(context, lanes.first);
  const auto all = [](unsigned) { return true; };
  const Factors a(product.a, true, i.source_type, all), b(product.b, false, i.second_source_type, all);
  const TensorFormat of_c = format_of(i.third_source_type);
  const int fraction = fraction_of_products(i), fraction_of_c = numeric::fraction_bits(of_c);
  product.write(context, lanes.first, [&](unsigned row, unsigned column, unsigned) -> uint64_t {
    const TensorNumber c = numeric::take_apart(static_cast<uint32_t>(product.c.at(row, column)), of_c);
    const TensorSum sum(a.line(row), b.line(column), fraction, c, fraction_of_c);
    return i.type == Type::F16 ? sum.to_f16() : sum.to_f32();
  });
}

// The smallest shape of f16 is a chain of float operations: onto C where the result is f16, else onto the first
// product, and C is added in the end.
void multiply_quad_pairs(Context& context, const Instruction& i, const Lanes& lanes) {
  need_all_lanes(context, i, lanes);
  Product product(i);
  product.read(context, lanes.first);
  const auto half = [](uint64_t bits) { return numeric::widen(numeric::F16{static_cast<uint16_t>(bits)}); };
  product.write(context, lanes.first, [&](unsigned row, unsigned column, unsigned pair) -> uint64_t {
    const uint64_t bits = product.c.at(row, column, pair);
    const float c = i.third_source_type == Type::F16 ? half(bits) : std::bit_cast<float>(static_cast<uint32_t>(bits));
    const auto a = [&](unsigned k) { return half(product.a.at(row, k, pair)); };
    const auto b = [&](unsigned k) { return half(product.b.at(k, column, pair)); };
    const bool onto_c = i.type == Type::F16;
    float sum = onto_c ? numeric::fma(a(0), b(0), c) : numeric::mul(a(0), b(0));
    for (unsigned k = 1; k < product.b.rows(); ++k) sum = numeric::fma(a(k), b(k), sum);
    if (onto_c) return numeric::narrow<numeric::F16>(sum).bits;
    return std::bit_cast<uint32_t>(numeric::add(sum, c));
  });
}

// Formats of eight bits: two sums, of the lower and of the upper two bytes of each register, to which C is added as a
// float.
void multiply_bytes_of_floats(Context& context, const Instruction& i, const Lanes& lanes) {
  need_all_lanes(context, i, lanes);
  Product product(i);
  product.read(context, lanes.first);
  const auto lower = [](unsigned k) { return k % 4 < 2; };
  const auto upper = [](unsigned k) { return k % 4 >= 2; };
  const Factors a_lower(product.a, true, i.source_type, lower), b_lower(product.b, false, i.second_source_type, lower);
  const Factors a_upper(product.a, true, i.source_type, upper), b_upper(product.b, false, i.second_source_type, upper);
  const int fraction = fraction_of_products(i), fraction_of_c = numeric::fraction_bits(TensorFormat::F32);
  product.write(context, lanes.first, [&](unsigned row, unsigned column, unsigned) -> uint64_t {
    const TensorSum first(a_lower.line(row), b_lower.line(column), fraction, {}, fraction_of_c);
    const TensorNumber half = numeric::take_apart(first.to_f32(), TensorFormat::F32);
    const TensorSum both(a_upper.line(row), b_upper.line(column), fraction, half, fraction_of_c);
    const auto c = std::bit_cast<float>(static_cast<uint32_t>(product.c.at(row, column)));
    return std::bit_cast<uint32_t>(numeric::add(c, std::bit_cast<float>(both.to_f32())));
  });
}

// A chain of fused operations, in the order of k.
void multiply_doubles(Context& context, const Instruction& i, const Lanes& lanes) {
  need_all_lanes(context, i, lanes);
  using numeric::Rounding;
  const Rounding rounding = i.has(Mod::Rz)   ? Rounding::Rz
                            : i.has(Mod::Rm) ? Rounding::Rm
                            : i.has(Mod::Rp) ? Rounding::Rp
                                             : Rounding::Rn;
  Product product(i);
  product.read(context, lanes.first);
  product.write(context, lanes.first, [&](unsigned row, unsigned column, unsigned) {
    auto sum = std::bit_cast<double>(product.c.at(row, column));
    for (unsigned k = 0; k < product.b.rows(); ++k)
      sum = numeric::fma(std::bit_cast<double>(product.a.at(row, k)), std::bit_cast<double>(product.b.at(k, column)),
                         sum, rounding);
    return std::bit_cast<uint64_t>(sum);
  });
}

int64_t extended(uint64_t bits, Type type) {
  if (!is_signed(type)) return static_cast<int64_t>(bits);
  const unsigned unused = 64 - element_bits(type);
  return static_cast<int64_t>(bits << unused) >> unused;
}

// Exact, then modulo 2^32 or, with .satfinite, clamped.
void multiply_integers(Context& context, const Instruction& i, const Lanes& lanes) {
  need_all_lanes(context, i, lanes);
  Product product(i);
  product.read(context, lanes.first);
  const bool bits = i.source_type == Type::B1, both = i.has(Mod::And);
  product.write(context, lanes.first, [&](unsigned row, unsigned column, unsigned) -> uint64_t {
    int64_t sum = extended(product.c.at(row, column), Type::S32);
    for (unsigned k = 0; k < product.b.rows(); ++k) {
      const int64_t x = extended(product.a.at(row, k), i.source_type);
      const int64_t y = extended(product.b.at(k, column), i.second_source_type);
      sum += !bits ? x * y : both ? x & y : x ^ y;
    }
    if (i.has(Mod::SatFinite)) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
    return static_cast<uint32_t>(sum);
  });
}

Handler select_product(const Instruction& i) {
  switch (i.source_type) {
    case Type::E4M3:
    case Type::E5M2: return &multiply_bytes_of_floats;
    case Type::F64: return &multiply_doubles;
    case Type::F16: return is_quad_pairs(i) ? &multiply_quad_pairs : &multiply_floats;
    case Type::BF16:
    case Type::TF32: return &multiply_floats;
    default: return &multiply_integers;
  }
}

}  // namespace

Handler select_tensor(const Instruction& i) { return i.op == Op::Mma ? select_product(i) : nullptr; }

}  // namespace heddle
