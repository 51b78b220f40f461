#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "workloads/support.h"

namespace heddle::workloads::quasirandom {

namespace {

constexpr uint32_t kDimensions = 3, kBits = 31, kBlock = 128;
using Directions = std::array<std::array<uint32_t, kBits>, kDimensions>;

// The numbers of Joe and Kuo (2008) for the first three dimensions: every power of 1/2, and the recurrences of
// the primitive polynomials x + 1 and x^2 + x + 1 from 1 and from 1, 3.
Directions sobol_directions() {
  Directions directions;
  for (uint32_t bit = 0; bit < kBits; ++bit) {
    directions[0][bit] = 1u << (kBits - 1 - bit);
    const auto& one = directions[1];
    const auto& two = directions[2];
    directions[1][bit] = bit < 1 ? 1u << 30 : one[bit - 1] ^ one[bit - 1] >> 1;
    directions[2][bit] = bit < 2 ? (bit == 0 ? 1u << 30 : 3u << 29) : two[bit - 1] ^ two[bit - 2] ^ two[bit - 2] >> 2;
  }
  return directions;
}

// Point by point from the one whose index has one bit less.
std::vector<float> points_on_cpu(const Directions& directions, uint32_t count) {
  std::vector<float> points;
  for (uint32_t dimension = 0; dimension < kDimensions; ++dimension) {
    std::vector<uint32_t> sums(count, 0);
    for (uint32_t point = 1; point < count; ++point)
      sums[point] = sums[point & (point - 1)] ^ directions[dimension][static_cast<size_t>(std::countr_zero(point))];
    for (uint32_t sum : sums) points.push_back(static_cast<float>(sum + 1) * 0x1p-31f);
  }
  return points;
}

// Newton's method on the lower tail, where the distribution is convex and 0 lies above the root: it comes
// down to the root and never passes it.
double inverse_normal(double p) {
  const double tail = std::min(p, 1 - p);
  double x = 0;
  for (int i = 0; i < 60; ++i) {
    const double excess = 0.5 * std::erfc(-x / std::numbers::sqrt2) - tail;
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    x -= excess / density;
    if (excess / density < 1e-9) break;
  }
  return p < 0.5 ? x : -x;
}

// Moro's approximation is good to 3e-9. In the middle the denominator sums terms of up to 3.3 to 0.11 at
// least, so its roundings of 2^-24 weigh 30 times, four of them, in results of at most 1.41; the numerator
// is better. In the tails the fast logarithms, of numbers that are not near 1, are good to some 2^-21 and the
// slope is below 4, which is less.
constexpr Tolerance kNormal{.absolute = 1.41 * 30 * 4 * 0x1p-24 + 3e-9};

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t count = by_size(size, 777u, 30'001u, 400'003u), blocks = by_size(size, 2u, 32u, 128u);
  const Directions directions = sobol_directions();
  device.write(device.symbol("directions"), directions.data(), sizeof directions);
  const Buffer<float> values(device, kDimensions * count, "points");

  device.launch("generate_points", {.grid = {blocks}, .block = {kBlock, kDimensions}},
                Arguments(values.address(), count));
  const std::vector<float> points = values.download();
  device.launch("make_normal", {.grid = {blocks}, .block = {kBlock}}, Arguments(values.address(), kDimensions * count));

  std::vector<double> normal;
  for (float p : points) normal.push_back(inverse_normal(p));
  return all_of({compare("points", points_on_cpu(directions, count), points),
                 compare("normal points", normal, values.download(), kNormal)});
}

}  // namespace heddle::workloads::quasirandom
