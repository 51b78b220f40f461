#include "workloads/leukocyte/video.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heddle::workloads::leukocyte {

Outlines outlines() {
  Outlines all;
  for (int point = 0; point < kPoints; ++point) {
    const double angle = 2 * std::numbers::pi * point / kPoints;
    all.cosines[point] = static_cast<float>(std::cos(angle));
    all.sines[point] = static_cast<float>(std::sin(angle));
    for (int circle = 0; circle < kCircles; ++circle) {
      // Halves, as 5 cos 60 degrees, must not depend on the last bit of the library's cosine.
      const double radius = 5 + 2 * circle, up = 0.5 + 1e-6;
      all.offsets[circle][point] = {static_cast<int32_t>(std::floor(radius * std::cos(angle) + up)),
                                    static_cast<int32_t>(std::floor(radius * std::sin(angle) + up))};
    }
  }
  return all;
}

Disc disc(int reach) {
  Disc inside{};
  for (int y = -reach; y <= reach; ++y)
    for (int x = -reach; x <= reach; ++x) inside[y + reach][x + reach] = x * x + y * y <= reach * reach;
  return inside;
}

// Bright cells with a soft rim, radius 4 to 12, on a noisy background.
Gradient gradient_of_frame(const Image& image, uint32_t cells) {
  Random random(1);
  std::vector<float> light(image.pixels());
  for (float& value : light) value = random.between(0.0f, 0.15f);
  for (uint32_t cell = 0; cell < cells; ++cell) {
    const auto centre_x = random.between(image.margin, image.width - image.margin - 1);
    const auto centre_y = random.between(image.margin, image.height - image.margin - 1);
    const float radius = random.between(4.0f, 12.0f);
    for (int32_t y = 0; y < image.height; ++y)
      for (int32_t x = 0; x < image.width; ++x) {
        const auto dx = static_cast<float>(x - centre_x), dy = static_cast<float>(y - centre_y);
        const float within = (radius * radius - (dx * dx + dy * dy)) / (4 * radius);
        light[y * image.width + x] += 0.5f * std::clamp(within, 0.0f, 1.0f);
      }
  }
  Gradient gradient{std::vector<float>(image.pixels()), std::vector<float>(image.pixels())};
  for (int32_t y = 1; y < image.height - 1; ++y)
    for (int32_t x = 1; x < image.width - 1; ++x) {
      const size_t at = size_t(y) * image.width + x;
      gradient.x[at] = light[at + 1] - light[at - 1];
      gradient.y[at] = light[at + image.width] - light[at - image.width];
    }
  return gradient;
}

std::vector<uint32_t> centres_of(const std::vector<float>& scores, const std::vector<float>& dilated, uint32_t most) {
  std::vector<uint32_t> centres;
  for (uint32_t pixel = 0; pixel < scores.size() && centres.size() < most; ++pixel)
    if (scores[pixel] > 0 && scores[pixel] == dilated[pixel]) centres.push_back(pixel);
  return centres;
}

std::vector<float> edge_map(const Image& image, const Gradient& gradient, uint32_t centre) {
  const int32_t centre_x = static_cast<int32_t>(centre) % image.width;
  const int32_t centre_y = static_cast<int32_t>(centre) / image.width;
  std::vector<float> edge;
  for (int32_t y = -kBox / 2; y <= kBox / 2; ++y)
    for (int32_t x = -kBox / 2; x <= kBox / 2; ++x) {
      const int32_t from_x = std::clamp(centre_x + x, 0, image.width - 1);
      const int32_t from_y = std::clamp(centre_y + y, 0, image.height - 1);
      const size_t at = size_t(from_y) * image.width + from_x;
      edge.push_back(std::sqrt(gradient.x[at] * gradient.x[at] + gradient.y[at] * gradient.y[at]));
    }
  const float greatest = *std::ranges::max_element(edge);
  for (float& value : edge) value /= greatest;
  return edge;
}

namespace {

double score_of(const std::array<double, kPoints>& across) {
  double sum = 0, squares = 0;
  for (double value : across) sum += value;
  const double mean = sum / kPoints;
  for (double value : across) squares += (value - mean) * (value - mean);
  return mean * mean * (kPoints - 1) / squares;
}

}  // namespace

std::vector<double> scores_on_cpu(const Image& image, const Gradient& gradient) {
  const Outlines around = outlines();
  std::vector<double> scores(image.pixels());
  for (int32_t y = image.margin; y < image.height - image.margin; ++y)
    for (int32_t x = image.margin; x < image.width - image.margin; ++x)
      for (const auto& outline : around.offsets) {
        std::array<double, kPoints> across;
        for (int point = 0; point < kPoints; ++point) {
          const size_t at = size_t(y + outline[point].y) * image.width + x + outline[point].x;
          across[point] = double{gradient.x[at]} * around.cosines[point] + double{gradient.y[at]} * around.sines[point];
        }
        double& best = scores[size_t(y) * image.width + x];
        best = std::max(best, score_of(across));
      }
  return scores;
}

std::vector<float> dilate_on_cpu(const Image& image, const std::vector<float>& scores) {
  std::vector<float> dilated(scores.size());
  for (int32_t y = 0; y < image.height; ++y)
    for (int32_t x = 0; x < image.width; ++x)
      for (int32_t dy = std::max(-image.reach, -y); dy <= std::min(image.reach, image.height - 1 - y); ++dy)
        for (int32_t dx = std::max(-image.reach, -x); dx <= std::min(image.reach, image.width - 1 - x); ++dx) {
          if (dx * dx + dy * dy > image.reach * image.reach) continue;
          float& greatest = dilated[size_t(y) * image.width + x];
          greatest = std::max(greatest, scores[size_t(y + dy) * image.width + x + dx]);
        }
  return dilated;
}

namespace {

float new_value(const std::vector<float>& field, int x, int y, float edge, Motion motion) {
  const float here = field[y * kBox + x];
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      const float slope = field[std::clamp(y + dy, 0, kBox - 1) * kBox + std::clamp(x + dx, 0, kBox - 1)] - here;
      const float ahead = slope * std::fma(static_cast<float>(dx), motion.x, static_cast<float>(dy) * motion.y);
      sum += (ahead > 1e-4f ? 1.0f : ahead > -1e-4f ? 0.5f : 0.0f) * slope;
    }
  return std::fma(-0.2f * edge, here - edge, std::fma(0.1f, sum, here));
}

// The kernel's tree over its threads: each pass adds the upper half to the lower.
float tree_sum(std::vector<float> sums) {
  for (size_t half = 128; half > 0; half /= 2)
    for (size_t i = 0; i < half && i + half < sums.size(); ++i) sums[i] += sums[i + half];
  return sums[0];
}

}  // namespace

int32_t flow_on_cpu(std::vector<float>& field, Motion motion, float cutoff, int32_t most) {
  const std::vector<float> edge = field;
  for (int32_t iteration = 1; iteration <= most; ++iteration) {
    std::vector<float> next(kBoxPixels), changes(kThreads);
    for (int i = 0; i < kBoxPixels; ++i) {
      next[i] = new_value(field, i % kBox, i / kBox, edge[i], motion);
      changes[i % kThreads] += std::abs(next[i] - field[i]);
    }
    field = next;
    if (tree_sum(changes) < cutoff) return iteration;
  }
  return most;
}

}  // namespace heddle::workloads::leukocyte
