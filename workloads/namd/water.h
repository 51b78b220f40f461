// The box of water that namd simulates, divided into patches. Made on the host from a seed; the structures
// are those of kernel.cu.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/support.h"

namespace heddle::workloads::namd {

constexpr int32_t kReach = 2;
// Ångström. A molecule belongs to the patch of its oxygen, so patches are wider than the cut-off by twice the
// length of its bonds.
constexpr float kPatchWidth = 8.0f, kCutoff = 6.0f, kSwitch = 5.0f;

struct Atom {
  float x, y, z, charge;
  int32_t number, kind;
};

struct Patch {
  int32_t first, count, first_neighbour, neighbours;
};

struct Neighbour {
  int32_t patch;
  float x, y, z;
};

struct LennardJones {
  float a, b;
};

struct Constants {
  float cutoff2, switch2, inverse_cutoff2, inverse_width3;
  LennardJones lennard_jones[3][3];
  int32_t excluded[3];
};

struct Box {
  std::vector<Atom> atoms;  // patch by patch
  std::vector<Patch> patches;
  std::vector<Neighbour> neighbours;
};

struct Shape {
  uint32_t x, y, z;  // patches
  bool periodic;     // needs three patches along each axis
};

Constants water_constants();
Box water_box(const Shape& shape);

}  // namespace heddle::workloads::namd
