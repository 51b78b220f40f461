// A box of tetrahedra for dg: cubes cut into six each, with jittered corners. Made on the host from a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/dg/element.h"

namespace heddle::workloads::dg {

struct Face {  // as in kernel.cu
  float x, y, z, scale;
};

struct FaceNode {  // as in kernel.cu
  int32_t mine, theirs;
};

struct Mesh {
  uint32_t elements;
  std::vector<Vector> gradients;  // three per element: of r, s and t by x, by y and by z
  std::vector<Face> faces;
  std::vector<FaceNode> face_nodes;
};

// Cubes of unit length along the axes. Of their tetrahedra the first `elements` are taken; faces without a
// neighbour are walls.
Mesh box_mesh(const Element& element, uint32_t x, uint32_t y, uint32_t z, uint32_t elements);

}  // namespace heddle::workloads::dg
