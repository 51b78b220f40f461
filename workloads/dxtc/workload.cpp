#include <algorithm>

#include "workloads/dxtc/reference.h"

namespace heddle::workloads::dxtc {

namespace {

struct CutCounts {  // Cuts in kernel.cu
  uint32_t of_four, of_three;
};

struct Image {
  uint32_t width, height;
  std::vector<uint32_t> pixels;  // red in the low byte
};

// A background that changes slowly, discs with sharp edges on it, and noise over all but one side, so that
// there are tiles of one colour as well.
Image random_image(uint32_t tiles_x, uint32_t tiles_y) {
  struct Disc {
    int32_t x, y, radius;
    std::array<int32_t, 3> colour;
  };
  Random random(1);
  Image image{4 * tiles_x, 4 * tiles_y, {}};
  const auto width = static_cast<int32_t>(image.width), height = static_cast<int32_t>(image.height);
  std::vector<Disc> discs;
  for (uint32_t i = 0; i < 3 + tiles_x * tiles_y / 20; ++i)
    discs.push_back({random.between(0, width),
                     random.between(0, height),
                     random.between(2, 12),
                     {random.between(0, 255), random.between(0, 255), random.between(0, 255)}});
  for (int32_t y = 0; y < height; ++y)
    for (int32_t x = 0; x < width; ++x) {
      std::array<int32_t, 3> colour = {255 * x / width, 255 * y / height, 200 - 150 * y / height};
      if (x < 4) colour = {60, 90, 120};
      for (const Disc& disc : discs)
        if ((x - disc.x) * (x - disc.x) + (y - disc.y) * (y - disc.y) < disc.radius * disc.radius) colour = disc.colour;
      uint32_t packed = 0;
      for (uint32_t i = 0; i < 3; ++i) {
        const int32_t noise = x < 4 ? 0 : random.between(-12, 12);
        packed |= static_cast<uint32_t>(std::clamp(colour[i] + noise, 0, 255)) << 8 * i;
      }
      image.pixels.push_back(packed);
    }
  return image;
}

Tile tile_at(const Image& image, uint32_t tile_x, uint32_t tile_y) {
  Tile tile;
  for (uint32_t i = 0; i < kPixels; ++i) {
    const uint32_t pixel = image.pixels[(4 * tile_y + i / 4) * image.width + 4 * tile_x + i % 4];
    for (uint32_t j = 0; j < 3; ++j) tile[i][j] = static_cast<float>(pixel >> 8 * j & 255);
  }
  return tile;
}

// The kernel sums three channels, each in about eight roundings of terms up to 2^24, and divides by 4 at least.
constexpr Tolerance kErrors{.absolute = 3 * 8.0 / 4};

// The words must be those of the CPU; and what a decoder makes of them must be as good as the fit promised,
// which knows nothing of codes and their order.
Check check(const Image& image, const Cuts& cuts, const std::vector<uint32_t>& tiles) {
  std::vector<uint32_t> expected;
  std::vector<double> promised;
  std::vector<float> seen;
  for (uint32_t y = 0; y < image.height / 4; ++y)
    for (uint32_t x = 0; x < image.width / 4; ++x) {
      const Tile tile = tile_at(image, x, y);
      const Compressed compressed = compress(tile, cuts);
      const size_t at = expected.size();
      seen.push_back(static_cast<float>(error_of(tile, tiles[at], tiles[at + 1])));
      promised.push_back(compressed.error);
      expected.push_back(compressed.end_points);
      expected.push_back(compressed.codes);
    }
  return all_of({compare("tiles", expected, tiles), compare("errors", promised, seen, kErrors)});
}

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t tiles_x = by_size(size, 3u, 12u, 32u), tiles_y = by_size(size, 1u, 10u, 30u);
  const Image image = random_image(tiles_x, tiles_y);
  const Cuts cuts = all_cuts();
  std::vector<uint32_t> both = cuts.of_four;
  both.insert(both.end(), cuts.of_three.begin(), cuts.of_three.end());
  const CutCounts counts{static_cast<uint32_t>(cuts.of_four.size()), static_cast<uint32_t>(cuts.of_three.size())};
  const Buffer<uint32_t> pixels(device, image.pixels, "image"), device_cuts(device, both, "cuts");
  const Buffer<uint32_t> tiles(device, size_t{2} * tiles_x * tiles_y, "tiles");
  device.launch("compress", {.grid = {tiles_x, tiles_y}, .block = {kThreads}},
                Arguments(pixels.address(), image.width, device_cuts.address(), counts, tiles.address()));
  return check(image, cuts, tiles.download());
}

}  // namespace heddle::workloads::dxtc
