#include "workloads/support.h"

namespace heddle::workloads::matmul {

namespace {

constexpr uint32_t kTile = 16;

struct Shape {
  uint32_t m, n, k;
};

// Multiples of 1/16 in [-1, 1]: products are multiples of 2^-8 and every partial sum stays below 2^24 of
// those, so float computes it without rounding, with or without fma and in any order.
std::vector<float> matrix(Random& random, uint32_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.between(-16, 16)) / 16.0f;
  return values;
}

std::vector<float> product(const Shape& shape, const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> c(size_t{shape.m} * shape.n);
  for (uint32_t row = 0; row < shape.m; ++row)
    for (uint32_t i = 0; i < shape.k; ++i)
      for (uint32_t column = 0; column < shape.n; ++column)
        c[row * shape.n + column] += a[row * shape.k + i] * b[i * shape.n + column];
  return c;
}

}  // namespace

Check run(Device& device, Size size) {
  const Shape shape = by_size<Shape>(size, {64, 48, 64}, {256, 240, 224}, {320, 320, 320});
  Random random(1);
  const std::vector<float> a = matrix(random, shape.m * shape.k);
  const std::vector<float> b = matrix(random, shape.k * shape.n);
  Buffer<float> device_a(device, a, "a"), device_b(device, b, "b");
  Buffer<float> device_c(device, size_t{shape.m} * shape.n, "c");

  const LaunchShape launch{.grid = {shape.n / kTile, shape.m / kTile}, .block = {kTile, kTile}};
  device.launch("matmul", launch,
                Arguments(device_a.address(), device_b.address(), device_c.address(), shape.n, shape.k));
  return compare("product (exact: see inputs)", product(shape, a, b), device_c.download());
}

}  // namespace heddle::workloads::matmul
