#include <algorithm>
#include <cstdlib>

#include "workloads/support.h"

namespace heddle::workloads::sobel {

namespace {

constexpr uint32_t kTileWidth = 128, kTileHeight = 4;
constexpr int32_t kScale = 16;  // in sixteenths

struct Image {  // as in kernel.cu
  int32_t width, height, pitch;
  size_t bytes() const { return size_t(pitch) * size_t(height); }
};

Image image_of(int32_t width, int32_t height) { return {width, height, (width + 3) / 4 * 4}; }

// Something to find edges in: bright and dark boxes over a ramp, and a grain whose strength differs from box to
// box, so that in some places every pixel is an edge and in some none.
std::vector<uint8_t> random_picture(const Image& image) {
  Random random(1);
  const auto width = static_cast<uint32_t>(image.width), height = static_cast<uint32_t>(image.height);
  const auto pitch = static_cast<uint32_t>(image.pitch);
  std::vector<uint8_t> picture(image.bytes());
  const auto fill = [&](uint32_t left, uint32_t top, uint32_t right, uint32_t bottom, uint32_t level, uint32_t grain) {
    for (uint32_t y = top; y < std::min(bottom, height); ++y)
      for (uint32_t x = left; x < std::min(right, width); ++x)
        picture[size_t{y} * pitch + x] = static_cast<uint8_t>(std::min(255u, level + x % 32 + random.below(grain)));
  };
  fill(0, 0, width, height, 40, 12);
  for (uint32_t box = 0; box < 40; ++box) {
    const uint32_t left = random.below(width), top = random.below(height);
    const uint32_t right = left + 2 + random.below(width / 4), bottom = top + 2 + random.below(height / 4);
    const uint32_t level = random.below(180), grain = 4 + random.below(150);
    fill(left, top, right, bottom, level, grain);
  }
  return picture;
}

std::vector<uint8_t> edges_on_cpu(const Image& image, const std::vector<uint8_t>& picture) {
  std::vector<uint8_t> edges(image.bytes());
  const auto at = [&](int32_t x, int32_t y) {
    const int32_t column = std::clamp(x, 0, image.width - 1), row = std::clamp(y, 0, image.height - 1);
    return int32_t{picture[size_t(row) * size_t(image.pitch) + size_t(column)]};
  };
  for (int32_t y = 0; y < image.height; ++y)
    for (int32_t x = 0; x < image.width; ++x) {
      int32_t across = 0, down = 0;
      for (int32_t i = -1; i <= 1; ++i) {
        const int32_t weight = i == 0 ? 2 : 1;
        across += weight * (at(x + 1, y + i) - at(x - 1, y + i));
        down += weight * (at(x + i, y + 1) - at(x + i, y - 1));
      }
      const int32_t sum = (std::abs(across) + std::abs(down)) * kScale / 16;
      edges[size_t(y) * size_t(image.pitch) + size_t(x)] = static_cast<uint8_t>(std::min(sum, 255));
    }
  return edges;
}

// The kernel also writes the padding at the end of a row, which is nobody's.
std::vector<uint8_t> without_padding(const Image& image, std::vector<uint8_t> bytes) {
  for (int32_t y = 0; y < image.height; ++y)
    for (int32_t x = image.width; x < image.pitch; ++x) bytes[size_t(y) * size_t(image.pitch) + size_t(x)] = 0;
  return bytes;
}

}  // namespace

Check run(Device& device, Size size) {
  const Image image = by_size(size, image_of(171, 13), image_of(638, 402), image_of(1598, 1197));
  const std::vector<uint8_t> picture = random_picture(image);
  Buffer<uint8_t> in(device, picture, "picture"), out(device, image.bytes(), "edges");
  const Dim3 grid{ceil_div(static_cast<uint32_t>(image.width), kTileWidth),
                  ceil_div(static_cast<uint32_t>(image.height), kTileHeight)};
  device.launch("sobel", {.grid = grid, .block = {16, kTileHeight}},
                Arguments(in.address(), out.address(), image, kScale));
  return compare("edges", edges_on_cpu(image, picture), without_padding(image, out.download()));
}

}  // namespace heddle::workloads::sobel
