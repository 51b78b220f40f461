// A made-up frame of a video with white blood cells, and the same three stages as the kernels on the CPU.
#pragma once

#include <array>

#include "workloads/support.h"

namespace heddle::workloads::leukocyte {

constexpr int kCircles = 5, kPoints = 60, kDisc = 17, kBox = 31;  // as in kernel.cu
constexpr int kBoxPixels = kBox * kBox, kThreads = 175;

struct Offset {
  int32_t x, y;
};

struct Motion {
  float x, y;
};

struct Image {
  int32_t width, height, margin, reach;
  size_t pixels() const { return size_t(width) * size_t(height); }
};

struct Gradient {
  std::vector<float> x, y;
};

struct Outlines {
  std::array<float, kPoints> cosines, sines;
  std::array<std::array<Offset, kPoints>, kCircles> offsets;  // radii 5, 7, 9, 11, 13
};

using Disc = std::array<std::array<uint8_t, kDisc>, kDisc>;

Outlines outlines();
Disc disc(int reach);
Gradient gradient_of_frame(const Image& image, uint32_t cells);

// What the host does between detection and tracking: centres are where the score is its own neighbourhood's
// greatest; the edge map of a cell is the slope of the image in a box around it, scaled to 1.
std::vector<uint32_t> centres_of(const std::vector<float>& scores, const std::vector<float>& dilated, uint32_t most);
std::vector<float> edge_map(const Image& image, const Gradient& gradient, uint32_t centre);

std::vector<double> scores_on_cpu(const Image& image, const Gradient& gradient);
std::vector<float> dilate_on_cpu(const Image& image, const std::vector<float>& scores);
int32_t flow_on_cpu(std::vector<float>& field, Motion motion, float cutoff, int32_t most);  // returns iterations

}  // namespace heddle::workloads::leukocyte
