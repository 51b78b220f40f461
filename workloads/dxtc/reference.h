// DXT1 compression and decompression on the CPU.
#pragma once

#include <array>

#include "workloads/support.h"

namespace heddle::workloads::dxtc {

constexpr uint32_t kPixels = 16, kThreads = 64;

using Colour = std::array<float, 3>;  // each 0 to 255
using Tile = std::array<Colour, kPixels>;

// Cuts of 16 ordered pixels into clusters: two bits per pixel, the code of its cluster. A cut that leaves all
// pixels in one cluster determines no end points and is left out.
struct Cuts {
  std::vector<uint32_t> of_four, of_three;
};
Cuts all_cuts();

struct Compressed {
  uint32_t end_points, codes;
  double error;  // squared, over all pixels and channels
};

// Rounds where the kernel rounds, so that the same cut wins.
Compressed compress(const Tile& tile, const Cuts& cuts);

// The squared error that a decoder sees.
double error_of(const Tile& tile, uint32_t end_points, uint32_t codes);

}  // namespace heddle::workloads::dxtc
