#include "program/tensor_cost.h"

#include "program/fragment.h"

namespace heddle {
namespace {

// How often it takes the unit for an interval, and the cycles that it takes longer than the least product.
struct TensorWork {
  uint8_t passes;
  int8_t more;
};

// By what an H200 needs (bench/hardware/h200.csv, latency.mma and rate.mma), and between these by the number of
// products.
TensorWork work_of(const Instruction& product) {
  const TensorShape shape = tensor_shape(product.mods);
  if (product.source_type == Type::F64) {
    if (shape.k == 16) return {32, 65};
    if (shape.k == 8) return {16, 28};
    return {8, 9};
  }
  if (product.source_type == Type::E4M3 || product.source_type == Type::E5M2) return {6, 14};  // two products
  const unsigned bits = shape.k * element_bits(product.source_type);                           // of a row
  return shape.m == 16 && bits >= 256 ? TensorWork{3, 7} : TensorWork{2, 0};
}

}  // namespace

MachineCost tensor_cost(const Instruction& product) {
  const TensorWork work = work_of(product);
  MachineCost cost;
  cost.last = Unit::Tensor;
  cost.units[static_cast<size_t>(Unit::Tensor)] = work.passes;
  cost.after = work.more;
  return cost;
}

}  // namespace heddle
