// The scene, and the same rays on the CPU.
#pragma once

#include <array>

#include "workloads/support.h"

namespace heddle::workloads::ray {

struct Vector {
  float x, y, z;
};

struct Thing {  // as in kernel.cu
  Vector centre;
  float radius;
  alignas(16) std::array<float, 4> colour;
  uint32_t floor;
  std::array<uint32_t, 3> unused{};  // what the alignment leaves: memory is the same in every run
};

struct View {  // as in kernel.cu
  Vector ahead, up, right, eye;
};

struct Scene {
  std::vector<Thing> things;
  View view;
  float focus;  // how far before the eye the picture is two units wide or high, whichever it is less
  Vector lamp;
  uint32_t width, height;
};

// Looks from the eye to the origin, with the sky above.
View view_from(Vector eye);

// Red, green, blue and opaque, from 0 to 255. A ray goes the kernel's way to the last bit, rounding where that rounds;
// light is in double precision.
std::array<double, 4> pixel_on_cpu(const Scene& scene, uint32_t x, uint32_t y);

}  // namespace heddle::workloads::ray
