// Comparing long sums of floats (namd, dg): rounding is in proportion to the sizes of what was added up, not
// to the result, so results are compared in units of that.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "workloads/support.h"

namespace heddle::workloads {

// Values, and for each the sum of the sizes of its terms.
struct Sums {
  std::vector<double> values, sizes;
  explicit Sums(size_t count) : values(count), sizes(count) {}
  void add(size_t i, double value, double size) {
    values[i] += value;
    sizes[i] += std::abs(size);
  }
};

// `roundings`: how often a term is rounded on its way into the sum, by 2^-24 of its size at most.
inline Check compare_sums(const std::string& name, const Sums& expected, std::vector<float> got, double roundings) {
  std::vector<double> values = expected.values;
  for (size_t i = 0; i < values.size(); ++i) {
    const double size = std::max(expected.sizes[i], 1e-30);
    values[i] /= size;
    got[i] = static_cast<float>(got[i] / size);
  }
  return compare(name, values, got, {.absolute = roundings * 0x1p-24});
}

}  // namespace heddle::workloads
