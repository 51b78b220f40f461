#include "workloads/heartwall/film.h"

#include <algorithm>
#include <array>

namespace heddle::workloads::heartwall {

namespace {

constexpr int32_t kWidth = 180, kHeight = 160;
constexpr int32_t kInnerRadius = 26, kOuterRadius = 48;

int32_t square(int32_t value) { return value * value; }

// Speckle: noise, averaged over 3x3 pixels; the ring of the heart is brighter than what it encloses.
std::vector<int32_t> tissue() {
  Random random(1);
  std::vector<int32_t> noise(size_t{kWidth} * kHeight), result(noise.size());
  for (int32_t& value : noise) value = random.between(0, 255);
  for (int32_t y = 1; y < kHeight - 1; ++y)
    for (int32_t x = 1; x < kWidth - 1; ++x) {
      int32_t sum = 0;
      for (int32_t dy = -1; dy <= 1; ++dy)
        for (int32_t dx = -1; dx <= 1; ++dx) sum += noise[(y + dy) * kWidth + x + dx];
      const int32_t distance2 = square(x - kWidth / 2) + square(y - kHeight / 2);
      const bool in_wall = distance2 >= square(kInnerRadius) && distance2 <= square(kOuterRadius);
      result[y * kWidth + x] = std::clamp(sum / 9 * 2 - (in_wall ? 100 : 180), 0, 255);
    }
  return result;
}

// How much larger the heart is in a frame, in 128ths.
int32_t stretch(uint32_t frame) {
  constexpr std::array<int32_t, 8> kBeat = {0, 5, 9, 12, 10, 6, 2, -2};
  return kBeat[frame % kBeat.size()];
}

std::vector<uint8_t> frame_of(const std::vector<int32_t>& tissue, uint32_t number) {
  Random random(100 + number);
  const int32_t size = 128 + stretch(number);
  std::vector<uint8_t> frame;
  for (int32_t y = 0; y < kHeight; ++y)
    for (int32_t x = 0; x < kWidth; ++x) {
      const int32_t from_x = std::clamp(kWidth / 2 + (x - kWidth / 2) * 128 / size, 0, kWidth - 1);
      const int32_t from_y = std::clamp(kHeight / 2 + (y - kHeight / 2) * 128 / size, 0, kHeight - 1);
      frame.push_back(
          static_cast<uint8_t>(std::clamp(tissue[from_y * kWidth + from_x] + random.between(-12, 12), 0, 255)));
    }
  return frame;
}

// Random directions; what is not on the circle is drawn again, so no angle has to be computed.
Point point_on_circle(Random& random, int32_t radius) {
  for (;;) {
    const int32_t x = random.between(-radius, radius), y = random.between(-radius, radius);
    const int32_t distance2 = square(x) + square(y);
    if (distance2 >= square(radius - 1) && distance2 <= square(radius)) return {kWidth / 2 + x, kHeight / 2 + y};
  }
}

}  // namespace

Film beating_heart(uint32_t frames) {
  const std::vector<int32_t> at_rest = tissue();
  Film film{kWidth, kHeight, {}};
  for (uint32_t i = 0; i < frames; ++i) film.frames.push_back(frame_of(at_rest, i));
  return film;
}

std::vector<Point> marked_points(uint32_t inner, uint32_t outer) {
  Random random(2);
  std::vector<Point> points;
  for (uint32_t i = 0; i < inner; ++i) points.push_back(point_on_circle(random, kInnerRadius));
  for (uint32_t i = 0; i < outer; ++i) points.push_back(point_on_circle(random, kOuterRadius));
  return points;
}

}  // namespace heddle::workloads::heartwall
