#include "workloads/ray/tracer.h"

namespace heddle::workloads::ray {

namespace {

constexpr uint32_t kBlockX = 16, kBlockY = 8;

// Spheres that stand on the plane or float above it, some of them mirrors.
std::vector<Sphere> random_spheres(int32_t count) {
  Random random(1);
  std::vector<Sphere> spheres;
  for (int32_t i = 0; i < count; ++i) {
    const float radius = random.between(0.3f, 1.0f);
    const float x = random.between(-3.5f, 3.5f), z = random.between(4.0f, 11.0f);
    const float y = i % 2 == 0 ? radius : radius + random.between(0.5f, 2.0f);
    const float red = random.between(0.3f, 1.0f), green = random.between(0.3f, 1.0f);
    spheres.push_back({{x, y, z}, radius, {red, green, random.between(0.3f, 1.0f)}, i % 3 == 0 ? 0.0f : 0.6f});
  }
  return spheres;
}

}  // namespace

// The image is no multiple of the block in either direction.
Check run(Device& device, Size size) {
  const int32_t width = by_size(size, 39, 155, 256), height = by_size(size, 29, 117, 256);
  const std::vector<Sphere> spheres = random_spheres(by_size(size, 4, 12, 4));
  const View view{.width = width,
                  .height = height,
                  .spheres = static_cast<int32_t>(spheres.size()),
                  .bounces = 5,
                  .pixel = 0.55f / static_cast<float>(width),
                  .eye = {0, 1.5f, 0},
                  .lamp = {-5, 8, 1}};
  device.write(device.symbol("spheres"), spheres.data(), spheres.size() * sizeof(Sphere));
  const Buffer<uint32_t> pixels(device, size_t(width) * size_t(height), "pixels");
  device.launch("render", {.grid = {ceil_div(width, kBlockX), ceil_div(height, kBlockY)}, .block = {kBlockX, kBlockY}},
                Arguments(pixels.address(), view));
  std::vector<uint32_t> expected;
  for (int32_t y = 0; y < height; ++y)
    for (int32_t x = 0; x < width; ++x) expected.push_back(pixel_on_cpu(spheres, view, x, y));
  return compare("pixels", expected, pixels.download());
}

}  // namespace heddle::workloads::ray
