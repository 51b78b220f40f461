#include "workloads/facedetect/cascade.h"

#include <algorithm>
#include <cmath>

namespace heddle::workloads::facedetect {

namespace {

int32_t box_sum(const std::vector<uint32_t>& table, uint32_t pitch, uint32_t x, uint32_t y, uint32_t width,
                uint32_t height) {
  const uint32_t top = y * pitch + x, bottom = top + height * pitch;
  return static_cast<int32_t>(table[bottom + width] - table[bottom] - table[top + width] + table[top]);
}

int32_t value_of(const Feature& feature, const Integral& integral, uint32_t x, uint32_t y) {
  int32_t value = 0;
  for (int i = 0; i < 3; ++i) {
    const Rectangle& r = feature.rectangles[i];
    value += feature.weights[i] * box_sum(integral.sums, integral.pitch, x + r.x, y + r.y, r.width, r.height);
  }
  return value;
}

// The kernel's operations in its order, each rounded by itself: equal to the last bit.
float votes_of(const Cascade& cascade, const Stage& stage, const Integral& integral, uint32_t x, uint32_t y) {
  const float deviation = deviation_of(integral, x, y);
  float votes = 0;
  for (int32_t i = stage.first_feature; i < stage.end_feature; ++i) {
    const Feature& feature = cascade.features[i];
    const auto value = static_cast<float>(value_of(feature, integral, x, y));
    votes += value < feature.threshold * deviation ? feature.below : feature.above;
  }
  return votes;
}

// One of Viola and Jones' shapes: two halves, a bar in the middle, or two opposite quarters of a rectangle.
// The rectangle weighs -1 and the parts so much that even light gives 0.
Feature random_feature(Random& random) {
  const auto shape = random.below(5);
  const uint32_t unit_x = shape == 1 ? 3 : 2, unit_y = shape == 3 ? 3 : 2;
  const uint32_t width = unit_x * static_cast<uint32_t>(random.between(2, kWindow / static_cast<int32_t>(unit_x)));
  const uint32_t height = unit_y * static_cast<uint32_t>(random.between(2, kWindow / static_cast<int32_t>(unit_y)));
  const uint32_t x = random.below(kWindow - width + 1), y = random.below(kWindow - height + 1);
  auto rectangle = [](uint32_t left, uint32_t top, uint32_t w, uint32_t h) {
    return Rectangle{static_cast<uint8_t>(left), static_cast<uint8_t>(top), static_cast<uint8_t>(w),
                     static_cast<uint8_t>(h)};
  };
  Feature feature{{rectangle(x, y, width, height), {}, {}}, {-1, 2, 0}, 0, 0, 0};
  if (shape == 0) feature.rectangles[1] = rectangle(x, y, width / 2, height);
  if (shape == 1) feature.rectangles[1] = rectangle(x + width / 3, y, width / 3, height);
  if (shape == 2) feature.rectangles[1] = rectangle(x, y, width, height / 2);
  if (shape == 3) feature.rectangles[1] = rectangle(x, y + height / 3, width, height / 3);
  if (shape == 4) {
    feature.rectangles[1] = rectangle(x, y, width / 2, height / 2);
    feature.rectangles[2] = rectangle(x + width / 2, y + height / 2, width / 2, height / 2);
    feature.weights[2] = 2;
  }
  if (shape == 1 || shape == 3) feature.weights[1] = 3;
  return feature;
}

// The best of a handful, where best is what answers most to the face; it votes for what is half as clear.
Feature feature_for(Random& random, const Integral& face) {
  Feature best{};
  int32_t best_value = 0;
  for (int i = 0; i < 8; ++i) {
    const Feature feature = random_feature(random);
    const int32_t value = value_of(feature, face, 0, 0);
    if (std::abs(value) <= std::abs(best_value)) continue;
    best = feature;
    best_value = value;
  }
  best.threshold = 0.5f * static_cast<float>(best_value) / deviation_of(face, 0, 0);
  const float vote = random.between(0.5f, 1.0f);
  best.below = best_value < 0 ? vote : 0.0f;
  best.above = best_value < 0 ? 0.0f : vote;
  return best;
}

struct Place {
  uint32_t x, y;
};

std::vector<Place> random_places(const Integral& integral, uint32_t count) {
  Random random(5);
  std::vector<Place> places(count);
  for (Place& place : places) {
    place.x = random.below(integral.windows_x());
    place.y = random.below(integral.windows_y());
  }
  return places;
}

// Half of the background fails, but never so high that a somewhat blurred face would fail.
float threshold_for(const Cascade& cascade, const Stage& stage, const Integral& background,
                    const std::vector<Place>& places, const Integral& face) {
  const float most = 0.75f * votes_of(cascade, stage, face, 0, 0);
  if (places.empty()) return most;
  std::vector<float> votes;
  for (Place place : places) votes.push_back(votes_of(cascade, stage, background, place.x, place.y));
  std::ranges::sort(votes);
  const auto upper_half = std::ranges::upper_bound(votes, votes[(votes.size() - 1) / 2]);
  return upper_half == votes.end() ? most : std::min(most, *upper_half);
}

}  // namespace

float deviation_of(const Integral& integral, uint32_t x, uint32_t y) {
  const int64_t sum = box_sum(integral.sums, integral.pitch, x, y, kWindow, kWindow);
  const int64_t square = box_sum(integral.squares, integral.pitch, x, y, kWindow, kWindow);
  return std::sqrt(static_cast<float>(int64_t{kWindow} * kWindow * square - sum * sum));
}

bool passes(const Cascade& cascade, const Stage& stage, const Integral& integral, uint32_t x, uint32_t y) {
  return votes_of(cascade, stage, integral, x, y) >= stage.threshold;
}

Cascade cascade_for_face(uint32_t stages) {
  Random random(4);
  Image portrait{kWindow, kWindow, std::vector<uint8_t>(size_t{kWindow} * kWindow)};
  draw_face(portrait, random, 0, 0, kWindow);
  const Integral face(portrait), background(clouds(200, 200, 6));
  std::vector<Place> places = random_places(background, 2000);
  Cascade cascade;
  for (uint32_t i = 0; i < stages; ++i) {
    Stage stage{static_cast<int32_t>(cascade.features.size()), 0, 0};
    for (uint32_t feature = 0; feature < 3 + 2 * i; ++feature) cascade.features.push_back(feature_for(random, face));
    stage.end_feature = static_cast<int32_t>(cascade.features.size());
    stage.threshold = threshold_for(cascade, stage, background, places, face);
    std::erase_if(places, [&](Place place) { return !passes(cascade, stage, background, place.x, place.y); });
    cascade.stages.push_back(stage);
  }
  return cascade;
}

}  // namespace heddle::workloads::facedetect
