#include <cmath>

#include "workloads/support.h"

namespace heddle::workloads::convsep {

namespace {

constexpr int32_t kRadius = 8;
constexpr uint32_t kSteps = 8;

struct Image {  // as in kernel.cu
  int32_t width, height;
  uint32_t columns() const { return static_cast<uint32_t>(width); }
  uint32_t rows() const { return static_cast<uint32_t>(height); }
};

std::vector<float> random_values(uint64_t seed, size_t count, float low, float high) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = random.between(low, high);
  return values;
}

// One pass along x (stride 1) or y (stride width), every tap one fma in the kernel's order: equal to the last
// bit. A tap outside the image adds zero there, and is left out here, which is the same.
void convolve_line(const float* in, float* out, int32_t count, ptrdiff_t stride, const std::vector<float>& taps) {
  for (int32_t i = 0; i < count; ++i) {
    float sum = 0;
    for (int32_t tap = -kRadius; tap <= kRadius; ++tap)
      if (i + tap >= 0 && i + tap < count) sum = std::fma(taps[size_t(kRadius + tap)], in[(i + tap) * stride], sum);
    out[i * stride] = sum;
  }
}

std::vector<float> convolve_on_cpu(const Image& image, const std::vector<float>& in, const std::vector<float>& taps) {
  std::vector<float> between(in.size()), out(in.size());
  for (int32_t y = 0; y < image.height; ++y) {
    const ptrdiff_t row = ptrdiff_t{y} * image.width;
    convolve_line(in.data() + row, between.data() + row, image.width, 1, taps);
  }
  for (int32_t x = 0; x < image.width; ++x)
    convolve_line(between.data() + x, out.data() + x, image.height, image.width, taps);
  return out;
}

}  // namespace

// Widths are multiples of 16, but not of the 128 of a block; heights are odd.
Check run(Device& device, Size size) {
  const Image image = by_size<Image>(size, {144, 7}, {432, 299}, {1008, 1003});
  const size_t pixels = size_t{image.columns()} * image.rows();
  const std::vector<float> picture = random_values(1, pixels, 0, 1), taps = random_values(2, 2 * kRadius + 1, -1, 1);
  device.write(device.symbol("taps"), taps.data(), taps.size() * sizeof(float));
  Buffer<float> in(device, picture, "picture"), between(device, pixels, "rows done"), out(device, pixels, "result");

  const Dim3 row_grid{ceil_div(image.columns(), kSteps * 16), ceil_div(image.rows(), 4)};
  device.launch("convolve_rows", {.grid = row_grid, .block = {16, 4}},
                Arguments(in.address(), between.address(), image));
  const Dim3 column_grid{image.columns() / 16, ceil_div(image.rows(), kSteps * 8)};
  device.launch("convolve_columns", {.grid = column_grid, .block = {16, 8}},
                Arguments(between.address(), out.address(), image));
  return compare("pixels", convolve_on_cpu(image, picture, taps), out.download());
}

}  // namespace heddle::workloads::convsep
