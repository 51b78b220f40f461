// The scene of nvrt: a landscape of triangles with a bounding volume hierarchy over them, and the rays. Made
// on the host from a seed; the structures are those of kernel.cu.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/support.h"

namespace heddle::workloads::nvrt {

struct Vector {
  float x, y, z;
};

struct Triangle {
  Vector corner, edge1, edge2;
};

// Inner node: children at first and first + 1, split along axis -count. Leaf: count triangles from first on.
struct Node {
  Vector low;
  int32_t first;
  Vector high;
  int32_t count;
};

struct Ray {
  Vector origin, direction;
};

struct Hit {
  int32_t triangle;  // -1: none
  float distance;    // in lengths of the direction
};

struct Scene {
  std::vector<Triangle> triangles;  // in the order of the hierarchy's leaves
  std::vector<Node> nodes;          // the root first
};

// A hilly ground of cells x cells squares over the unit square, with as many loose triangles above it.
Scene landscape(uint32_t cells);

// One ray per pixel from a camera beside the landscape. No component of a direction is 0.
std::vector<Ray> camera_rays(uint32_t width, uint32_t height);

// From each hit into a random direction upwards, as for diffuse light: neighbours go different ways. Rays
// that hit nothing start again from a random point in the air.
std::vector<Ray> bounced_rays(const std::vector<Ray>& rays, const std::vector<Hit>& hits);

// Tests every triangle, without the hierarchy.
Hit closest_hit(const Scene& scene, const Ray& ray);

}  // namespace heddle::workloads::nvrt
