// The film that heartwall tracks points in: a speckled ring of tissue that beats. Made on the host from a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/support.h"

namespace heddle::workloads::heartwall {

struct Point {  // as in kernel.cu
  int32_t x, y;
};

struct Film {
  int32_t width, height;
  std::vector<std::vector<uint8_t>> frames;
};

// The speckle is stretched from the middle outwards and back, by up to three pixels at the outer wall in a
// frame; every frame has its own noise.
Film beating_heart(uint32_t frames);

// Points on the inner wall and on the outer wall, as a physician would mark them in the first frame.
std::vector<Point> marked_points(uint32_t inner, uint32_t outer);

}  // namespace heddle::workloads::heartwall
