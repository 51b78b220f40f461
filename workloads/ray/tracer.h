// The scene, and the same rays on the CPU. Rounds where the kernel rounds, and nowhere else.
#pragma once

#include "workloads/support.h"

namespace heddle::workloads::ray {

struct Vector {
  float x, y, z;
};

struct Sphere {  // as in kernel.cu
  Vector centre;
  float radius;
  Vector colour;
  float mirror;
};

struct View {  // as in kernel.cu
  int32_t width, height, spheres, bounces;
  float pixel;
  Vector eye, lamp;
};

uint32_t pixel_on_cpu(const std::vector<Sphere>& spheres, const View& view, int32_t x, int32_t y);

}  // namespace heddle::workloads::ray
