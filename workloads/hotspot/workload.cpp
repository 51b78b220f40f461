#include <algorithm>
#include <cmath>
#include <utility>

#include "workloads/support.h"

namespace heddle::workloads::hotspot {

namespace {

constexpr uint32_t kTile = 16;
constexpr int32_t kStepsPerLaunch = 2;

struct Chip {  // as in kernel.cu
  int32_t width, height;
  float time_over_capacity;
  float conductance_x, conductance_y, conductance_out;
  float ambient;
};

// Silicon half a millimetre thick, 16 mm wide; the conductances are those between neighbouring cells, and the
// time step keeps the explicit scheme stable (time / capacity * sum of conductances < 1/2).
Chip chip_of(int32_t width, int32_t height) {
  const double cell_x = 0.016 / width, cell_y = 0.016 / height, thickness = 0.0005, conductivity = 100;
  const double conductance_x = conductivity * thickness * cell_y / cell_x;
  const double conductance_y = conductivity * thickness * cell_x / cell_y;
  const double conductance_out = conductivity * cell_x * cell_y / thickness;
  const double time_over_capacity = 0.5 / (2 * (conductance_x + conductance_y) + conductance_out);
  return {width,
          height,
          static_cast<float>(time_over_capacity),
          static_cast<float>(conductance_x),
          static_cast<float>(conductance_y),
          static_cast<float>(conductance_out),
          80.0f};
}

// A few busy units on a chip that idles; a little noise everywhere, so that no two cells are alike.
std::vector<float> random_power(const Chip& chip) {
  Random random(1);
  const auto width = static_cast<uint32_t>(chip.width), height = static_cast<uint32_t>(chip.height);
  std::vector<float> power(size_t{width} * height);
  for (float& watts : power) watts = random.between(0.0f, 0.001f);
  for (int unit = 0; unit < 6; ++unit) {
    const uint32_t left = random.below(width), top = random.below(height);
    const float watts = random.between(0.005f, 0.02f);
    for (uint32_t y = top; y < std::min(height, top + height / 4); ++y)
      for (uint32_t x = left; x < std::min(width, left + width / 4); ++x) power[size_t{y} * width + x] += watts;
  }
  return power;
}

std::vector<float> random_temperature(const Chip& chip) {
  Random random(2);
  std::vector<float> temperature(size_t(chip.width) * size_t(chip.height));
  for (float& value : temperature) value = random.between(320.0f, 345.0f);
  return temperature;
}

// The same roundings in the same order as the kernel's: equal to the last bit.
std::vector<float> step_on_cpu(const Chip& chip, const std::vector<float>& in, const std::vector<float>& power) {
  std::vector<float> out(in.size());
  for (int32_t y = 0; y < chip.height; ++y)
    for (int32_t x = 0; x < chip.width; ++x) {
      const auto at = [&](int32_t i, int32_t j) {
        return in[size_t(std::clamp(j, 0, chip.height - 1)) * size_t(chip.width) +
                  size_t(std::clamp(i, 0, chip.width - 1))];
      };
      const size_t index = size_t(y) * size_t(chip.width) + size_t(x);
      const float here = in[index], twice = here + here;
      float flow = std::fma(chip.conductance_y, (at(x, y - 1) + at(x, y + 1)) - twice, power[index]);
      flow = std::fma(chip.conductance_x, (at(x - 1, y) + at(x + 1, y)) - twice, flow);
      flow = std::fma(chip.conductance_out, chip.ambient - here, flow);
      out[index] = std::fma(chip.time_over_capacity, flow, here);
    }
  return out;
}

}  // namespace

Check run(Device& device, Size size) {
  const Chip chip = by_size(size, chip_of(21, 18), chip_of(110, 94), chip_of(512, 512));
  const int32_t steps = by_size(size, 5, 9, 2);  // the last launch takes what is left
  const std::vector<float> power = random_power(chip);
  std::vector<float> expected = random_temperature(chip);
  Buffer<float> in(device, expected, "temperature"), out(device, expected.size(), "next temperature");
  Buffer<float> device_power(device, power, "power");

  for (int32_t done = 0; done < steps; done += kStepsPerLaunch) {
    const int32_t now = std::min(kStepsPerLaunch, steps - done);
    const uint32_t own = kTile - 2 * static_cast<uint32_t>(now);
    const Dim3 grid{ceil_div(static_cast<uint32_t>(chip.width), own),
                    ceil_div(static_cast<uint32_t>(chip.height), own)};
    device.launch("hotspot", {.grid = grid, .block = {kTile, kTile}},
                  Arguments(in.address(), device_power.address(), out.address(), chip, now));
    std::swap(in, out);
  }
  for (int32_t step = 0; step < steps; ++step) expected = step_on_cpu(chip, expected, power);
  return compare("temperature", expected, in.download());
}

}  // namespace heddle::workloads::hotspot
