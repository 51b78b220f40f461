// A matrix whose elements lie in the registers of a warp.
#pragma once

#include <vector>

#include "exec/context.h"
#include "program/fragment.h"

namespace heddle {

// A fault where lanes are missing: every lane has a part of every matrix.
void need_all_lanes(Context& context, const Instruction& i, const Lanes& lanes);

// The elements of one operand, as bits, where they lie in the matrix. In quad pairs there are four, one behind another.
class Matrix {
 public:
  Matrix(Part part, const Instruction& i, Type type)
      : part_(part), i_(i), type_(type), shape_(tensor_shape(i.mods)), bits_(element_bits(type)) {
    rows_ = part == Part::B ? shape_.k : shape_.m;
    columns_ = part == Part::A ? shape_.k : shape_.n;
    pairs_ = is_quad_pairs(i);
    elements_ = fragment_elements(part, shape_) * (pairs_ ? kQuadPairs : 1);
    values_.resize(size_t{rows_} * columns_ * (pairs_ ? kQuadPairs : 1));
  }
  unsigned registers() const { return bits_ > 32 ? elements_ : elements_ * bits_ / 32; }

  void read(const Context& context, const Operand* from, Hw first) {
    for_each([&](uint64_t& value, unsigned lane, unsigned reg, unsigned shift) {
      if (bits_ == 64)
        value = context.source_row<uint64_t>(from[reg], first)[lane];
      else
        value = context.source_row<uint32_t>(from[reg], first)[lane] >> shift & ((uint64_t{1} << bits_) - 1);
    });
  }
  void write(const Context& context, const Operand* to, Hw first) {
    for_each([&](uint64_t value, unsigned lane, unsigned reg, unsigned shift) {
      if (bits_ == 64) {
        context.row<uint64_t>(to[reg], first)[lane] = value;
      } else {
        uint32_t& word = context.row<uint32_t>(to[reg], first)[lane];
        word = (shift == 0 ? 0 : word) | static_cast<uint32_t>(value) << shift;
      }
    });
  }
  uint64_t& at(unsigned row, unsigned column, unsigned pair = 0) {
    return values_[(size_t{pair} * rows_ + row) * columns_ + column];
  }
  uint64_t at(unsigned row, unsigned column, unsigned pair = 0) const {
    return values_[(size_t{pair} * rows_ + row) * columns_ + column];
  }
  unsigned rows() const { return rows_; }
  unsigned columns() const { return columns_; }
  unsigned pairs() const { return pairs_ ? kQuadPairs : 1; }

 private:
  template <class F>
  void for_each(F&& f) {
    for (unsigned lane = 0; lane < kRow; ++lane)
      for (unsigned index = 0; index < elements_; ++index) {
        const MatrixElement at_lane = pairs_ ? quad_pair_element(part_, i_, type_, lane, index)
                                             : fragment_element(part_, shape_, type_, lane, index);
        const unsigned together = bits_ < 32 ? 32 / bits_ : 1;
        f(at(at_lane.row, at_lane.column, pairs_ ? quad_pair(lane) : 0), lane, index / together,
          index % together * bits_);
      }
  }

  Part part_;
  const Instruction& i_;
  Type type_;
  TensorShape shape_;
  unsigned bits_, rows_ = 0, columns_ = 0, elements_ = 0;
  bool pairs_ = false;
  std::vector<uint64_t> values_;
};

}  // namespace heddle
