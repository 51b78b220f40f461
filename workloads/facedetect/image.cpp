#include <algorithm>

#include "workloads/facedetect/cascade.h"

namespace heddle::workloads::facedetect {

namespace {

uint8_t clamped(int32_t value) { return static_cast<uint8_t>(std::clamp(value, 0, 255)); }

// Random heights on a grid, with straight lines between them.
class Cloud {
 public:
  Cloud(Random& random, uint32_t width, uint32_t height, uint32_t cell, int32_t strength)
      : cell_(cell), pitch_(width / cell + 2), heights_(size_t{pitch_} * (height / cell + 2)) {
    for (int32_t& value : heights_) value = random.between(-strength, strength);
  }
  int32_t at(uint32_t x, uint32_t y) const {
    const int32_t* corner = &heights_[y / cell_ * pitch_ + x / cell_];
    const auto right = static_cast<int32_t>(x % cell_), down = static_cast<int32_t>(y % cell_);
    const auto cell = static_cast<int32_t>(cell_);
    const int32_t top = corner[0] * (cell - right) + corner[1] * right;
    const int32_t bottom = corner[pitch_] * (cell - right) + corner[pitch_ + 1] * right;
    return (top * (cell - down) + bottom * down) / (cell * cell);
  }

 private:
  uint32_t cell_, pitch_;
  std::vector<int32_t> heights_;
};

// A face of 20x20 pixels: skin, hair, eyes, nose, mouth.
int32_t face_at(uint32_t x, uint32_t y) {
  auto inside = [&](uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
    return x >= left && x < right && y >= top && y < bottom;
  };
  if (inside(3, 6, 8, 9) || inside(12, 6, 17, 9)) return 50;
  if (inside(6, 15, 14, 17)) return 80;
  if (inside(9, 5, 11, 13)) return 210;
  if (y < 3) return 70;
  return inside(2, 3, 18, 20) ? 170 : 110;
}

}  // namespace

void draw_face(Image& image, Random& random, uint32_t left, uint32_t top, uint32_t side) {
  for (uint32_t y = 0; y < side; ++y)
    for (uint32_t x = 0; x < side; ++x)
      image.pixels[(top + y) * image.width + left + x] =
          clamped(face_at(x * kWindow / side, y * kWindow / side) + random.between(-20, 20));
}

Image clouds(uint32_t width, uint32_t height, uint64_t seed) {
  Random random(seed);
  const Cloud wide(random, width, height, 48, 90), middle(random, width, height, 16, 50);
  const Cloud fine(random, width, height, 5, 25);
  Image image{width, height, {}};
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x)
      image.pixels.push_back(clamped(128 + wide.at(x, y) + middle.at(x, y) + fine.at(x, y) + random.between(-4, 4)));
  return image;
}

void draw_faces(Image& image, uint32_t faces) {
  Random random(3);
  for (uint32_t i = 0; i < faces; ++i) {
    const auto side = static_cast<uint32_t>(random.between(20, 40));
    const uint32_t left = random.below(image.width - side), top = random.below(image.height - side);
    draw_face(image, random, left, top, side);
  }
}

Image smaller(const Image& image) {
  Image result{image.width * 4 / 5, image.height * 4 / 5, {}};
  for (uint32_t y = 0; y < result.height; ++y)
    for (uint32_t x = 0; x < result.width; ++x) {
      const uint32_t left = x * 5 / 4, top = y * 5 / 4;
      const uint32_t sum =
          image.at(left, top) + image.at(left + 1, top) + image.at(left, top + 1) + image.at(left + 1, top + 1);
      result.pixels.push_back(static_cast<uint8_t>(sum / 4));
    }
  return result;
}

Integral::Integral(const Image& image)
    : pitch(image.width + 1), sums(size_t{pitch} * (image.height + 1)), squares(sums.size()) {
  for (uint32_t y = 0; y < image.height; ++y) {
    uint32_t row_sum = 0, row_square = 0;
    for (uint32_t x = 0; x < image.width; ++x) {
      const uint32_t pixel = image.at(x, y), above = y * pitch + x + 1;
      row_sum += pixel;
      row_square += pixel * pixel;
      sums[above + pitch] = sums[above] + row_sum;
      squares[above + pitch] = squares[above] + row_square;
    }
  }
}

}  // namespace heddle::workloads::facedetect
