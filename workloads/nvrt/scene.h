// The scene of nvrt: a conference room of triangles with a bounding volume hierarchy over them, and the rays. Made
// on the host from a seed; the structures are those of kernel.cu.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/nvrt/vector.h"
#include "workloads/support.h"

namespace heddle::workloads::nvrt {

struct Bounds {
  Vector low, high;
};

struct alignas(16) Node {
  Bounds boxes[2];
  int32_t children[2];     // a node, or where negative ~ the first triangle of a leaf
  int32_t unused[2] = {};  // no byte that goes to the device is left to chance
};

struct alignas(16) Triangle {
  Vector corner;
  int32_t is_last;  // of its leaf
  Vector edge1, edge2;
  int32_t unused[2] = {};
};

struct alignas(16) Ray {
  Vector origin;
  float farthest;  // in lengths of the direction, as all distances
  Vector direction;
  int32_t unused = 0;
};

struct Hit {
  int32_t triangle;  // -1: none
  float distance;
};

struct Scene {
  std::vector<Triangle> triangles;  // in the order of the hierarchy's leaves
  std::vector<Node> nodes;          // the root first
};

// A room with a long table, chairs in rows on both sides and lamps above. Every face of a thing is cut into
// cells x cells squares that are not quite flat.
std::vector<Triangle> conference_room(uint32_t chairs, uint32_t cells);

// Boxes are split where, of 16 places, the surfaces of both halves weighed by their triangles are smallest.
Scene with_hierarchy(const std::vector<Triangle>& triangles);

// One ray per pixel from a corner of the room. 32 neighbours in a row are a tile of 8x4 pixels.
std::vector<Ray> camera_rays(uint32_t width, uint32_t height);

// From each hit into a random direction away from the surface, as for diffuse light: neighbours go different ways.
// Rays that hit nothing start again in the middle of the room.
std::vector<Ray> bounced_rays(const Scene& scene, const std::vector<Ray>& rays, const std::vector<Hit>& hits,
                              float farthest, uint64_t seed);

// The closest hit on the CPU, by the hierarchy and by trying every triangle.
Hit closest_hit(const Scene& scene, const Ray& ray);
Hit closest_of_all(const Scene& scene, const Ray& ray);
// A better hit of one triangle than the given one, or that.
Hit meet(const Scene& scene, int32_t triangle, const Ray& ray, Hit hit);

}  // namespace heddle::workloads::nvrt
