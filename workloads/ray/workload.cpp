#include "workloads/ray/tracer.h"

namespace heddle::workloads::ray {

namespace {

constexpr uint32_t kBlockX = 16, kBlockY = 8;

// A floor and three spheres above it, two of them side by side before a larger one.
std::vector<Thing> floor_and_spheres() {
  return {{.centre = {0, -1.5f, 0}, .radius = 0, .colour = {0.3f, 0.8f, 0.9f, 1}, .floor = 1},
          {.centre = {-1, 0, -1}, .radius = 0.5f, .colour = {0.9f, 0.1f, 0.1f, 1}, .floor = 0},
          {.centre = {1, 0, -1}, .radius = 0.5f, .colour = {0.1f, 0.2f, 0.9f, 1}, .floor = 0},
          {.centre = {0, 0, -2}, .radius = 0.75f, .colour = {0.1f, 0.8f, 0.2f, 1}, .floor = 0}};
}

std::vector<float> bytes_of(const std::vector<uint32_t>& pixels) {
  std::vector<float> bytes;
  for (const uint32_t pixel : pixels)
    for (uint32_t shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<float>(pixel >> shift & 255));
  return bytes;
}

// A colour is cut off to a byte, so the byte is between it and one less. Colours are the sum of up to five points'
// light, each off by at most 50 units of 2^-24 (a power of 50), of 255; that and a few roundings more are below a
// hundredth.
constexpr Tolerance kBytes{.absolute = 0.5 + 0.01};

Check check(const Scene& scene, const std::vector<uint32_t>& pixels) {
  std::vector<double> expected;
  for (uint32_t y = 0; y < scene.height; ++y)
    for (uint32_t x = 0; x < scene.width; ++x)
      for (const double colour : pixel_on_cpu(scene, x, y)) expected.push_back(colour - 0.5);
  return compare("colours", expected, bytes_of(pixels), kBytes);
}

}  // namespace

// The image is no multiple of the block in either direction, but for that of the papers' program.
Check run(Device& device, Size size) {
  const Scene scene{.things = floor_and_spheres(),
                    .view = view_from({0, 0.5f, 2}),
                    .focus = 1.57f,  // 65 degrees are to be seen
                    .lamp = {10, 10, 10},
                    .width = by_size(size, 39u, 155u, 256u),
                    .height = by_size(size, 29u, 117u, 256u)};
  device.write(device.symbol("things"), scene.things.data(), scene.things.size() * sizeof(Thing));
  device.write(device.symbol("view"), &scene.view, sizeof scene.view);
  const Buffer<uint32_t> pixels(device, size_t(scene.width) * scene.height, "pixels");
  device.launch(
      "render",
      {.grid = {ceil_div(scene.width, kBlockX), ceil_div(scene.height, kBlockY)}, .block = {kBlockX, kBlockY}},
      Arguments(pixels.address(), scene.width, scene.height, scene.focus, scene.lamp, 0.0f));
  return check(scene, pixels.download());
}

}  // namespace heddle::workloads::ray
