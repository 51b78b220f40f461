// The reference tetrahedron of order 6 for dg: nodes, and the matrices that differentiate a field and lift
// fluxes from the faces into the element.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::workloads::dg {

constexpr int32_t kOrder = 6;
constexpr size_t kNodes = 84, kFaces = 4, kFaceNodes = 28, kAllFaceNodes = kFaces * kFaceNodes;

// Where a node lies, in sixths: how much each of the four vertices counts.
using Weights = std::array<int32_t, 4>;

struct Vector {  // as in kernel.cu
  float r, s, t, unused;
};

struct Element {
  Element();
  std::vector<Weights> nodes;
  std::array<std::vector<int32_t>, kFaces> face_nodes;  // face f lies opposite of vertex f
  std::vector<Vector> derivative;                       // by column: [other * kNodes + node]
  std::vector<float> lift;                              // by column: [face node * kNodes + node]
};

}  // namespace heddle::workloads::dg
