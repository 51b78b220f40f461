// What facedetect looks at and looks with: an image with faces drawn into a cloudy background, and a cascade
// made for that face. Made on the host from a seed; Feature, Stage and Rectangle are those of kernel.cu.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/support.h"

namespace heddle::workloads::facedetect {

constexpr uint32_t kWindow = 20;

struct Image {
  uint32_t width, height;
  std::vector<uint8_t> pixels;
  uint8_t at(uint32_t x, uint32_t y) const { return pixels[y * width + x]; }
};

// Entry (x, y) is the sum over all pixels left of x and above y, modulo 2^32: sums over boxes come out right.
struct Integral {
  explicit Integral(const Image& image);
  uint32_t windows_x() const { return pitch - kWindow; }
  uint32_t windows_y() const { return static_cast<uint32_t>(sums.size()) / pitch - kWindow; }

  uint32_t pitch;
  std::vector<uint32_t> sums, squares;
};

struct Rectangle {
  uint8_t x, y, width, height;
};

struct Feature {
  Rectangle rectangles[3];
  int32_t weights[3];
  float threshold, below, above;
};

struct Stage {
  int32_t first_feature, end_feature;
  float threshold;
};

struct Cascade {
  std::vector<Feature> features;
  std::vector<Stage> stages;
};

// Clouds of three sizes, with sharp noise on top.
Image clouds(uint32_t width, uint32_t height, uint64_t seed);
// A face with some noise; it fills a square.
void draw_face(Image& image, Random& random, uint32_t left, uint32_t top, uint32_t side);
// Faces of 20 to 40 pixels at random places.
void draw_faces(Image& image, uint32_t faces);
// The image at 4/5 of its size, for the next level of the pyramid.
Image smaller(const Image& image);

float deviation_of(const Integral& integral, uint32_t x, uint32_t y);
bool passes(const Cascade& cascade, const Stage& stage, const Integral& integral, uint32_t x, uint32_t y);

// Features that tell the face from its surroundings; the threshold of a stage lets half of the background
// windows pass that got that far, which is what cascades are trained for.
Cascade cascade_for_face(uint32_t stages);

}  // namespace heddle::workloads::facedetect
