#include <algorithm>
#include <cmath>
#include <string>

#include "workloads/heartwall/film.h"

namespace heddle::workloads::heartwall {

namespace {

// As in kernel.cu.
constexpr int32_t kTemplate = 13, kWindow = 21, kShift = (kWindow - kTemplate) / 2;
constexpr int32_t kTemplatePoints = kTemplate * kTemplate, kOverlaps = kWindow + kTemplate - 1;
constexpr int32_t kPadded = kWindow + 2 * kTemplate;

// The template comes first in the scratch memory of a block; of the rest only the size matters here.
constexpr size_t kScratchWords =
    kTemplatePoints + kWindow * kWindow + kPadded * kPadded + kOverlaps * kPadded + 4 * kOverlaps * kOverlaps;

// One point on the CPU, straight from the definition: for each place, sums over the pixels under the template.
class Tracker {
 public:
  Tracker(const Film& film, Point point) : film_(film), point_(point), pattern_(kTemplatePoints) {
    for (int32_t i = 0; i < kTemplatePoints; ++i) pattern_[i] = seen(0, i);
  }

  void follow(size_t frame) {
    Point best{};
    float best_score = -INFINITY;
    for (int32_t y = -kShift; y <= kShift; ++y)
      for (int32_t x = -kShift; x <= kShift; ++x) {
        const float score = score_of(frame, {x, y});
        if (score <= best_score) continue;
        best_score = score;
        best = {x, y};
      }
    constexpr int32_t kRim = kWindow / 2;
    point_ = {std::clamp(point_.x + best.x, kRim, film_.width - 1 - kRim),
              std::clamp(point_.y + best.y, kRim, film_.height - 1 - kRim)};
    for (int32_t i = 0; i < kTemplatePoints; ++i) pattern_[i] = (3 * pattern_[i] + seen(frame, i)) / 4;
  }

  Point point() const { return point_; }
  const std::vector<int32_t>& pattern() const { return pattern_; }

 private:
  int32_t pixel(size_t frame, int32_t x, int32_t y) const {
    return film_.frames[frame][(point_.y + y) * film_.width + point_.x + x];
  }
  int32_t seen(size_t frame, int32_t i) const {
    return pixel(frame, i % kTemplate - kTemplate / 2, i / kTemplate - kTemplate / 2);
  }
  // Nothing is seen beyond the window.
  int32_t in_window(size_t frame, int32_t x, int32_t y) const {
    return std::abs(x) <= kWindow / 2 && std::abs(y) <= kWindow / 2 ? pixel(frame, x, y) : 0;
  }

  float correlation(size_t frame, Point shift) const {
    int64_t sum = 0, square = 0, product = 0, pattern_sum = 0, pattern_square = 0;
    for (int32_t i = 0; i < kTemplatePoints; ++i) {
      const int64_t value =
          in_window(frame, shift.x + i % kTemplate - kTemplate / 2, shift.y + i / kTemplate - kTemplate / 2);
      sum += value;
      square += value * value;
      product += value * pattern_[i];
      pattern_sum += pattern_[i];
      pattern_square += pattern_[i] * pattern_[i];
    }
    // Exact whole numbers so far; each operation from here on is rounded as in the kernel.
    const float scale = static_cast<float>(kTemplatePoints * square - sum * sum) *
                        static_cast<float>(kTemplatePoints * pattern_square - pattern_sum * pattern_sum);
    if (!(scale > 0)) return 0;
    return static_cast<float>(kTemplatePoints * product - sum * pattern_sum) / std::sqrt(scale);
  }

  float score_of(size_t frame, Point shift) const {
    float score = 0;
    for (int32_t y = -1; y <= 1; ++y)
      for (int32_t x = -1; x <= 1; ++x) score += correlation(frame, {shift.x + x, shift.y + y});
    return score;
  }

  const Film& film_;
  Point point_;
  std::vector<int32_t> pattern_;
};

std::vector<int32_t> coordinates_of(const std::vector<Point>& points) {
  std::vector<int32_t> coordinates;
  for (Point point : points) {
    coordinates.push_back(point.x);
    coordinates.push_back(point.y);
  }
  return coordinates;
}

std::vector<int32_t> patterns_of(const std::vector<int32_t>& scratch) {
  std::vector<int32_t> patterns;
  for (size_t i = 0; i < scratch.size(); ++i)
    if (i % kScratchWords < kTemplatePoints) patterns.push_back(scratch[i]);
  return patterns;
}

}  // namespace

// The first frame gives the templates, the others are searched. Whoever marks a heart wall sets 51 points.
Check run(Device& device, Size size) {
  const Film film = beating_heart(by_size(size, 2u, 4u, 7u));
  const std::vector<Point> marked = marked_points(by_size(size, 0u, 4u, 20u), by_size(size, 1u, 6u, 31u));
  Buffer<Point> points(device, marked, "points");
  Buffer<int32_t> scratch(device, marked.size() * kScratchWords, "scratch");
  Buffer<uint8_t> pixels(device, film.frames[0].size(), "frame");
  std::vector<Tracker> trackers;
  for (Point point : marked) trackers.emplace_back(film, point);

  std::vector<int32_t> expected, got;  // coordinates in all frames
  for (size_t frame = 0; frame < film.frames.size(); ++frame) {
    pixels.upload(film.frames[frame]);
    const Struct image = Struct(device.pointer_bytes()).pointer(pixels.address()).value(film.width).value(film.height);
    device.launch("track", {.grid = {static_cast<uint32_t>(marked.size())}, .block = {512}},
                  Arguments(image, static_cast<int32_t>(frame), points.address(), scratch.address()));
    for (int32_t coordinate : coordinates_of(points.download())) got.push_back(coordinate);
    for (Tracker& tracker : trackers) {
      if (frame > 0) tracker.follow(frame);
      for (int32_t coordinate : coordinates_of({tracker.point()})) expected.push_back(coordinate);
    }
  }
  std::vector<int32_t> patterns;
  for (const Tracker& tracker : trackers)
    patterns.insert(patterns.end(), tracker.pattern().begin(), tracker.pattern().end());
  return all_of({compare("points", expected, got), compare("templates", patterns, patterns_of(scratch.download()))});
}

}  // namespace heddle::workloads::heartwall
