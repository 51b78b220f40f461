#include <array>
#include <cmath>
#include <utility>

#include "workloads/support.h"

namespace heddle::workloads::fdtd3d {

namespace {

constexpr uint32_t kWidth = 32, kHeight = 16;
constexpr int32_t kRadius = 4;

// All weights of a point and its 24 neighbours sum to 1, so that the values keep their size.
constexpr std::array<float, kRadius + 1> kWeights = {0.4f, 0.05f, 0.03f, 0.015f, 0.005f};

struct Volume {  // as in kernel.cu
  int32_t nx, ny, nz;
  ptrdiff_t row() const { return nx + 2 * kRadius; }
  ptrdiff_t plane() const { return row() * (ny + 2 * kRadius); }
  size_t points() const { return size_t(plane()) * size_t(nz + 2 * kRadius); }
};

std::vector<float> random_field(const Volume& volume) {
  Random random(1);
  std::vector<float> field(volume.points());
  for (float& value : field) value = random.between(-1.0f, 1.0f);
  return field;
}

// Rounds where the kernel rounds: equal to the last bit. The margin stays.
std::vector<float> step_on_cpu(const Volume& volume, const std::vector<float>& in) {
  std::vector<float> out = in;
  const ptrdiff_t row = volume.row(), plane = volume.plane();
  for (int32_t z = 0; z < volume.nz; ++z)
    for (int32_t y = 0; y < volume.ny; ++y)
      for (int32_t x = 0; x < volume.nx; ++x) {
        const ptrdiff_t index = (z + kRadius) * plane + (y + kRadius) * row + x + kRadius;
        const float* at = in.data() + index;
        float sum = kWeights[0] * *at;
        for (int32_t i = 1; i <= kRadius; ++i) {
          const float along_z = at[i * plane] + at[-i * plane];
          const float along_y = at[-i * row] + at[i * row];
          const float along_x = at[-i] + at[i];
          sum = std::fma(kWeights[static_cast<size_t>(i)], along_z + along_y + along_x, sum);
        }
        out[static_cast<size_t>(index)] = sum;
      }
  return out;
}

}  // namespace

Check run(Device& device, Size size) {
  const Volume volume = by_size<Volume>(size, {45, 18, 3}, {100, 60, 20}, {370, 124, 24});
  const int steps = by_size(size, 2, 2, 3);
  std::vector<float> expected = random_field(volume);
  Buffer<float> in(device, expected, "field"), out(device, expected, "next field");  // with the same margin
  device.write(device.symbol("weights"), kWeights.data(), sizeof kWeights);

  const LaunchShape launch{.grid = {ceil_div(volume.nx, kWidth), ceil_div(volume.ny, kHeight)},
                           .block = {kWidth, kHeight}};
  for (int step = 0; step < steps; ++step) {
    device.launch("step_volume", launch, Arguments(in.address(), out.address(), volume));
    expected = step_on_cpu(volume, expected);
    std::swap(in, out);
  }
  return compare("field", expected, in.download());
}

}  // namespace heddle::workloads::fdtd3d
