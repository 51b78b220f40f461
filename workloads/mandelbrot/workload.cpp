#include <cmath>

#include "workloads/support.h"

namespace heddle::workloads::mandelbrot {

namespace {

struct View {  // as in kernel.cu
  float left, top, step;
  int32_t tiles_x, tiles, limit;
};

// The whole set: x from -2.25 to 0.75, y around 0.
View whole_set(uint32_t tiles_x, uint32_t tiles_y, int32_t limit) {
  const float step = 3.0f / static_cast<float>(tiles_x * 16);
  const float top = static_cast<float>(tiles_y * 8) * step;
  return {-2.25f, top, step, static_cast<int32_t>(tiles_x), static_cast<int32_t>(tiles_x * tiles_y), limit};
}

// Rounds where the kernel rounds, and nowhere else, so that the steps must be equal.
int32_t escape_time(float cr, float ci, int32_t limit) {
  float zr = 0, zi = 0;
  int32_t steps = 0;
  for (; steps < limit; ++steps) {
    const float zi_squared = zi * zi;
    if (std::fma(zr, zr, zi_squared) > 4.0f) break;
    const float next_zr = std::fma(zr, zr, -zi_squared) + cr;
    zi = std::fma(zr + zr, zi, ci);
    zr = next_zr;
  }
  return steps;
}

std::vector<int32_t> image_on_cpu(const View& view, uint32_t width, uint32_t height) {
  std::vector<int32_t> steps;
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x)
      steps.push_back(escape_time(std::fma(view.step, static_cast<float>(x), view.left),
                                  std::fma(-view.step, static_cast<float>(y), view.top), view.limit));
  return steps;
}

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t tiles_x = by_size(size, 6u, 16u, 40u), tiles_y = by_size(size, 4u, 12u, 30u);
  const View view = whole_set(tiles_x, tiles_y, by_size(size, 48, 256, 256));
  const uint32_t width = tiles_x * 16, height = tiles_y * 16;
  Buffer<int32_t> steps(device, size_t{width} * height, "steps"), next_tile(device, 1, "next tile");

  // As many blocks as 30 cores of 1024 threads hold at once; tiny leaves each block a few tiles to take.
  const uint32_t blocks = by_size(size, 6u, 60u, 120u);
  device.launch("mandelbrot", {.grid = {blocks}, .block = {16, 16}},
                Arguments(steps.address(), next_tile.address(), view));
  return compare("escape times", image_on_cpu(view, width, height), steps.download());
}

}  // namespace heddle::workloads::mandelbrot
