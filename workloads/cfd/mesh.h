// The mesh that cfd computes on: a box of cubes around a solid body, every cube cut into six tetrahedra.
#pragma once

#include "workloads/support.h"

namespace heddle::workloads::cfd {

constexpr int32_t kWall = -1, kFarField = -2;  // in place of a neighbour's number
constexpr uint32_t kFaces = 4;

struct Mesh {
  uint32_t elements;
  std::vector<int32_t> neighbours;  // of face f and element e at f * elements + e
  std::vector<float> normals;       // outward, as long as the face is large: axis a at (3 f + a) * elements + e
  std::vector<float> surfaces;
};

// `side` cubes in each direction, an ellipsoid in the middle left out. The elements are numbered as an
// advancing front would make them: those at a boundary first, then their neighbours, and so on inwards.
Mesh mesh_around_body(int32_t side);

}  // namespace heddle::workloads::cfd
