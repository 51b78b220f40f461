#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "workloads/support.h"

namespace heddle::workloads::tpacf {

namespace {

constexpr uint32_t kThreads = 256, kBins = 22;  // as in kernel.cu

struct Direction {
  float x, y, z;
};

// Anywhere on the sphere: a point of the ball, moved out to its surface.
Direction random_direction(Random& random) {
  for (;;) {
    const float x = random.between(-1.0f, 1.0f), y = random.between(-1.0f, 1.0f), z = random.between(-1.0f, 1.0f);
    const float square = x * x + y * y + z * z;
    if (square > 1 || square < 0.01f) continue;
    const float length = std::sqrt(square);
    return {x / length, y / length, z / length};
  }
}

Direction near_to(Random& random, Direction centre, float spread) {
  const Direction offset = random_direction(random);
  const float x = centre.x + spread * offset.x, y = centre.y + spread * offset.y, z = centre.z + spread * offset.z;
  const float length = std::sqrt(x * x + y * y + z * z);
  return {x / length, y / length, z / length};
}

// The observed galaxies, three of four in clusters, then the random catalogues.
std::vector<Direction> catalogues(uint32_t directions, uint32_t random_catalogues) {
  Random random(1);
  std::vector<Direction> all;
  Direction centre = random_direction(random);
  for (uint32_t i = 0; i < directions; ++i) {
    if (i % 20 == 0) centre = random_direction(random);
    all.push_back(i % 4 == 0 ? random_direction(random) : near_to(random, centre, random.between(0.0f, 0.3f)));
  }
  while (all.size() < size_t{directions} * (1 + random_catalogues)) all.push_back(random_direction(random));
  return all;
}

// From ten minutes of arc on, seven bins to a decade.
std::array<float, kBins> bin_bounds() {
  std::array<float, kBins> bounds{};
  for (uint32_t i = 1; i < kBins; ++i) {
    const double minutes = 10 * std::pow(10.0, (i - 1) / 7.0);
    bounds[i] = static_cast<float>(std::cos(minutes / 60 * std::numbers::pi / 180));
  }
  return bounds;
}

// The kernel's dot product to the last bit, then the bin by counting the bounds above it. No search.
void count_pairs(const Direction* first, const Direction* second, uint32_t directions, bool with_itself,
                 const std::array<float, kBins>& bounds, uint32_t* histogram) {
  for (uint32_t i = 0; i < directions; ++i)
    for (uint32_t j = with_itself ? i + 1 : 0; j < directions; ++j) {
      const Direction a = first[i], b = second[j];
      const float cosine = std::fma(a.x, b.x, std::fma(a.y, b.y, a.z * b.z));
      uint32_t bin = 0;
      for (uint32_t bound = 1; bound < kBins; ++bound) bin += cosine < bounds[bound];
      ++histogram[bin];
    }
}

std::vector<uint32_t> histograms_on_cpu(const std::vector<Direction>& all, uint32_t directions,
                                        uint32_t random_catalogues, const std::array<float, kBins>& bounds) {
  std::vector<uint32_t> histograms(size_t{1 + 2 * random_catalogues} * kBins);
  auto catalogue = [&](uint32_t i) { return &all[size_t{i} * directions]; };
  auto histogram = [&](uint32_t i) { return &histograms[size_t{i} * kBins]; };
  for (uint32_t i = 0; i <= random_catalogues; ++i)
    count_pairs(catalogue(i), catalogue(i), directions, true, bounds, histogram(i));
  for (uint32_t i = 1; i <= random_catalogues; ++i)
    count_pairs(catalogue(0), catalogue(i), directions, false, bounds, histogram(random_catalogues + i));
  return histograms;
}

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t directions = by_size(size, 70u, 300u, 270u), random_catalogues = by_size(size, 2u, 4u, 45u);
  const std::vector<Direction> all = catalogues(directions, random_catalogues);
  const std::array<float, kBins> bounds = bin_bounds();
  device.write(device.symbol("bounds"), bounds.data(), sizeof bounds);
  const Buffer<Direction> device_catalogues(device, all, "catalogues");
  const uint32_t blocks = 1 + 2 * random_catalogues;
  const Buffer<uint32_t> histograms(device, size_t{blocks} * kBins, "histograms");
  device.launch("correlate", {.grid = {blocks}, .block = {kThreads}},
                Arguments(device_catalogues.address(), histograms.address(), directions, random_catalogues));
  return compare("histograms", histograms_on_cpu(all, directions, random_catalogues, bounds), histograms.download());
}

}  // namespace heddle::workloads::tpacf
