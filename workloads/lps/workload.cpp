#include <utility>

#include "workloads/support.h"

namespace heddle::workloads::lps {

namespace {

constexpr uint32_t kWidth = 32, kHeight = 4;

struct Box {  // as in kernel.cu
  int32_t nx, ny, nz;
  size_t points() const { return size_t(nx) * size_t(ny) * size_t(nz); }
};

// Random faces, and an interior that is random too, so that no plane is dull.
std::vector<float> random_field(const Box& box) {
  Random random(1);
  std::vector<float> field(box.points());
  for (float& value : field) value = random.between(-1.0f, 1.0f);
  return field;
}

// The same sum in the same order, and no product is added to anything: equal to the last bit.
std::vector<float> step_on_cpu(const Box& box, const std::vector<float>& in) {
  std::vector<float> out = in;
  const ptrdiff_t row = box.nx, plane = row * box.ny;
  for (int32_t k = 1; k < box.nz - 1; ++k)
    for (int32_t j = 1; j < box.ny - 1; ++j)
      for (int32_t i = 1; i < box.nx - 1; ++i) {
        const float* at = in.data() + k * plane + j * row + i;
        out[at - in.data()] = (at[-1] + at[1] + at[-row] + at[row] + at[-plane] + at[plane]) * (1.0f / 6.0f);
      }
  return out;
}

}  // namespace

Check run(Device& device, Size size) {
  const Box box = by_size<Box>(size, {70, 14, 10}, {170, 90, 30}, {100, 100, 100});
  const int steps = by_size(size, 2, 2, 1);
  std::vector<float> expected = random_field(box);
  Buffer<float> in(device, expected, "field"), out(device, box.points(), "next field");

  const LaunchShape launch{.grid = {ceil_div(box.nx, kWidth), ceil_div(box.ny, kHeight)}, .block = {kWidth, kHeight}};
  for (int step = 0; step < steps; ++step) {
    device.launch("laplace", launch, Arguments(in.address(), out.address(), box));
    expected = step_on_cpu(box, expected);
    std::swap(in, out);
  }
  return compare("field", expected, in.download());
}

}  // namespace heddle::workloads::lps
