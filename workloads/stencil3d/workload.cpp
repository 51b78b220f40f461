#include <array>
#include <cmath>
#include <utility>

#include "workloads/support.h"

namespace heddle::workloads::stencil3d {

namespace {

constexpr uint32_t kTile = 16;
constexpr int32_t kRadius = 4;

// Central differences of eighth order for the second derivative, along three axes at once.
constexpr std::array<float, kRadius + 1> kWeights = {-3 * 205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560};

struct Volume {
  uint32_t blocks_x, blocks_y;
  int32_t planes;
  int32_t row() const { return static_cast<int32_t>(blocks_x * kTile) + 2 * kRadius; }
  int32_t plane() const { return row() * (static_cast<int32_t>(blocks_y * kTile) + 2 * kRadius); }
  size_t points() const { return size_t(plane()) * size_t(planes + 2 * kRadius); }
};

std::vector<float> random_field(const Volume& volume, uint64_t seed, float low, float high) {
  Random random(seed);
  std::vector<float> field(volume.points());
  for (float& value : field) value = random.between(low, high);
  return field;
}

// Rounds where the kernel rounds: equal to the last bit. The margin stays.
void propagate_on_cpu(const Volume& volume, const std::vector<float>& current, std::vector<float>& previous,
                      const std::vector<float>& speeds) {
  const int32_t row = volume.row(), plane = volume.plane();
  for (int32_t z = kRadius; z < volume.planes + kRadius; ++z)
    for (int32_t y = kRadius; y < plane / row - kRadius; ++y)
      for (int32_t x = kRadius; x < row - kRadius; ++x) {
        const size_t index = size_t(z) * size_t(plane) + size_t(y) * size_t(row) + size_t(x);
        const float* at = current.data() + index;
        float sum = kWeights[0] * *at;
        for (int32_t i = 1; i <= kRadius; ++i) {
          const float along_x = at[-i] + at[i];
          const float along_y = at[-i * row] + at[i * row];
          const float along_z = at[-i * plane] + at[i * plane];
          sum = std::fma(kWeights[static_cast<size_t>(i)], along_x + along_y + along_z, sum);
        }
        previous[index] = std::fma(speeds[index], sum, std::fma(2.0f, *at, -previous[index]));
      }
}

}  // namespace

Check run(Device& device, Size size) {
  const Volume volume = by_size<Volume>(size, {3, 2, 5}, {6, 5, 24}, {12, 10, 40});
  const int steps = by_size(size, 2, 2, 3);
  std::vector<float> now = random_field(volume, 1, -1.0f, 1.0f), before = random_field(volume, 2, -1.0f, 1.0f);
  const std::vector<float> speeds = random_field(volume, 3, 0.05f, 0.1f);
  Buffer<float> current(device, now, "field"), previous(device, before, "previous field");
  const Buffer<float> device_speeds(device, speeds, "speeds");
  device.write(device.symbol("weights"), kWeights.data(), sizeof kWeights);

  const LaunchShape launch{.grid = {volume.blocks_x, volume.blocks_y}, .block = {kTile, kTile}};
  for (int step = 0; step < steps; ++step) {
    device.launch("propagate", launch,
                  Arguments(current.address(), previous.address(), device_speeds.address(), volume.row(),
                            volume.plane(), volume.planes));
    propagate_on_cpu(volume, now, before, speeds);
    std::swap(current, previous);
    std::swap(now, before);
  }
  return all_of({compare("field", now, current.download()), compare("previous field", before, previous.download())});
}

}  // namespace heddle::workloads::stencil3d
