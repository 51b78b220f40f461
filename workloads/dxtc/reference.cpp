#include "workloads/dxtc/reference.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heddle::workloads::dxtc {

namespace {

// The clusters in order, with `sizes` pixels each.
uint32_t cut_of(const std::vector<std::pair<uint32_t, uint32_t>>& code_and_size) {
  uint32_t cut = 0, pixel = 0;
  for (auto [code, size] : code_and_size)
    for (uint32_t i = 0; i < size; ++i) cut |= code << 2 * pixel++;
  return cut;
}

float dot(const Colour& a, const Colour& b) { return std::fma(a[0], b[0], std::fma(a[1], b[1], a[2] * b[2])); }

Colour principal_axis(const Tile& tile) {
  Colour sum{}, axis{1, 1, 1};
  std::array<Colour, 3> products{}, covariance;
  for (const Colour& pixel : tile)
    for (size_t i = 0; i < 3; ++i) {
      sum[i] += pixel[i];
      for (size_t j = 0; j < 3; ++j) products[i][j] += pixel[i] * pixel[j];
    }
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) covariance[i][j] = 16.0f * products[i][j] - sum[i] * sum[j];
  for (int i = 0; i < 8; ++i) {
    const Colour next = {dot(covariance[0], axis), dot(covariance[1], axis), dot(covariance[2], axis)};
    const float largest = std::max({std::abs(next[0]), std::abs(next[1]), std::abs(next[2])});
    if (largest == 0) break;
    axis = {next[0] / largest, next[1] / largest, next[2] / largest};
  }
  return axis;
}

// The pixels' numbers in the order along the axis.
std::array<uint32_t, kPixels> order_of(const Tile& tile) {
  const Colour axis = principal_axis(tile);
  std::array<uint32_t, kPixels> order;
  for (uint32_t i = 0; i < kPixels; ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](uint32_t pixel) { return dot(tile[pixel], axis); });
  return order;
}

uint32_t packed(const Colour& colour) {
  constexpr std::array<float, 3> levels = {31, 63, 31};
  constexpr std::array<uint32_t, 3> shift = {11, 5, 0};
  uint32_t bits = 0;
  for (size_t i = 0; i < 3; ++i) {
    const float level = std::fma(colour[i], levels[i] / 255.0f, 0.5f);
    bits |= static_cast<uint32_t>(std::clamp(level, 0.0f, levels[i])) << shift[i];
  }
  return bits;
}

Colour unpacked(uint32_t bits) {
  const uint32_t r = bits >> 11, g = bits >> 5 & 63, b = bits & 31;
  return {static_cast<float>(r << 3 | r >> 2), static_cast<float>(g << 2 | g >> 4),
          static_cast<float>(b << 3 | b >> 2)};
}

struct Fit {
  float error = 3.4e38f;
  uint32_t start = 0, end = 0, cut = 0;
  bool three = false;
};

// Least squares with weights of w / steps for the start and (steps - w) / steps for the end.
Fit fit(const Tile& ordered, uint32_t cut, float steps) {
  float ww = 0, vv = 0, wv = 0;  // these sums are exact
  Colour wx{}, vx{};
  for (uint32_t i = 0; i < kPixels; ++i) {
    const std::array<float, 4> weights = {steps, 0, steps - 1, 1};
    const float w = weights[cut >> 2 * i & 3], v = steps - w;
    ww += w * w;
    vv += v * v;
    wv += w * v;
    for (size_t j = 0; j < 3; ++j) {
      wx[j] += w * ordered[i][j];
      vx[j] += v * ordered[i][j];
    }
  }
  const float factor = steps / (ww * vv - wv * wv);
  Colour start, end;
  for (size_t j = 0; j < 3; ++j) {
    start[j] = (wx[j] * vv - vx[j] * wv) * factor;
    end[j] = (vx[j] * ww - wx[j] * wv) * factor;
  }
  Fit result{0, packed(start), packed(end), cut, steps == 2};
  const Colour a = unpacked(result.start), b = unpacked(result.end);
  for (size_t j = 0; j < 3; ++j)
    result.error +=
        a[j] * (ww * a[j] + 2.0f * wv * b[j] - 2.0f * steps * wx[j]) + b[j] * (vv * b[j] - 2.0f * steps * vx[j]);
  result.error *= 1.0f / (steps * steps);
  return result;
}

// The kernel's threads take every 64th cut; among equals the lowest thread wins, and in it the first cut.
Fit best_fit(const Tile& ordered, const Cuts& cuts) {
  Fit best;
  for (uint32_t thread = 0; thread < kThreads; ++thread) {
    auto consider = [&](const std::vector<uint32_t>& some, float steps) {
      for (size_t i = thread; i < some.size(); i += kThreads) {
        const Fit next = fit(ordered, some[i], steps);
        if (next.error < best.error) best = next;
      }
    };
    consider(cuts.of_four, 3);
    consider(cuts.of_three, 2);
  }
  return best;
}

}  // namespace

Cuts all_cuts() {
  Cuts cuts;
  for (uint32_t a = 0; a <= kPixels; ++a)
    for (uint32_t b = 0; a + b <= kPixels; ++b) {
      const uint32_t rest = kPixels - a - b;
      if (std::max({a, b, rest}) < kPixels) cuts.of_three.push_back(cut_of({{0, a}, {2, b}, {1, rest}}));
      for (uint32_t c = 0; c <= rest; ++c)
        if (std::max({a, b, c, rest - c}) < kPixels)
          cuts.of_four.push_back(cut_of({{0, a}, {2, b}, {3, c}, {1, rest - c}}));
    }
  return cuts;
}

Compressed compress(const Tile& tile, const Cuts& cuts) {
  const auto order = order_of(tile);
  Tile ordered;
  for (uint32_t i = 0; i < kPixels; ++i) ordered[i] = tile[order[i]];
  const Fit best = best_fit(ordered, cuts);

  // A decoder takes the first end point for the larger one where there are four colours.
  const bool exchange = best.start != best.end && (best.start > best.end) == best.three;
  const std::array<uint32_t, 4> renamed =
      exchange ? std::array<uint32_t, 4>{1, 0, best.three ? 2u : 3u, 2} : std::array<uint32_t, 4>{0, 1, 2, 3};
  Compressed result{best.start | best.end << 16, 0, best.error};
  if (exchange) result.end_points = best.end | best.start << 16;
  if (best.start != best.end)
    for (uint32_t i = 0; i < kPixels; ++i) result.codes |= renamed[best.cut >> 2 * i & 3] << 2 * order[i];
  for (const Colour& pixel : tile)
    for (float value : pixel) result.error += double{value} * value;
  return result;
}

double error_of(const Tile& tile, uint32_t end_points, uint32_t codes) {
  const uint32_t start = end_points & 0xffff, end = end_points >> 16;
  const Colour a = unpacked(start), b = unpacked(end);
  double error = 0;
  for (uint32_t i = 0; i < kPixels; ++i) {
    const uint32_t code = codes >> 2 * i & 3;
    const double share = code < 2 ? code : start > end ? (code - 1) / 3.0 : 0.5;
    for (size_t j = 0; j < 3; ++j) {
      const double difference = (1 - share) * a[j] + share * b[j] - tile[i][j];
      error += difference * difference;
    }
  }
  return error;
}

}  // namespace heddle::workloads::dxtc
