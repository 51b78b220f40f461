#include "workloads/nvrt/scene.h"

namespace heddle::workloads::nvrt {

namespace {

// In double precision, so that it never misses a box that the kernel enters.
bool meets_box(const Bounds& box, const Ray& ray, float farthest) {
  double enter = 0, leave = farthest;
  for (int axis = 0; axis < 3; ++axis) {
    const double origin = component(ray.origin, axis), direction = component(ray.direction, axis);
    const double a = (component(box.low, axis) - origin) / direction;
    const double b = (component(box.high, axis) - origin) / direction;
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return enter <= leave;
}

Hit closest_below(const Scene& scene, int32_t child, const Ray& ray, Hit hit) {
  if (child < 0) {
    for (int32_t i = ~child;; ++i) {
      hit = meet(scene, i, ray, hit);
      if (scene.triangles[static_cast<size_t>(i)].is_last) return hit;
    }
  }
  const Node& node = scene.nodes[static_cast<size_t>(child)];
  for (int side = 0; side < 2; ++side)
    if (meets_box(node.boxes[side], ray, hit.distance)) hit = closest_below(scene, node.children[side], ray, hit);
  return hit;
}

}  // namespace

// The kernel's roundings: equal to the last bit.
Hit meet(const Scene& scene, int32_t triangle, const Ray& ray, Hit hit) {
  const Triangle& t = scene.triangles[static_cast<size_t>(triangle)];
  const Vector p = cross(ray.direction, t.edge2);
  const float determinant = dot(t.edge1, p), scale = 1 / determinant;
  const Vector s = minus(ray.origin, t.corner), q = cross(s, t.edge1);
  const float u = dot(s, p) * scale, v = dot(ray.direction, q) * scale;
  if (!(std::abs(determinant) > 1e-9f) || !(u >= 0) || u > 1 || !(v >= 0) || u + v > 1) return hit;
  const float distance = dot(t.edge2, q) * scale;
  const bool closer = distance < hit.distance || (distance == hit.distance && triangle < hit.triangle);
  return distance > 0 && closer ? Hit{triangle, distance} : hit;
}

Hit closest_hit(const Scene& scene, const Ray& ray) { return closest_below(scene, 0, ray, {-1, ray.farthest}); }

Hit closest_of_all(const Scene& scene, const Ray& ray) {
  Hit hit{-1, ray.farthest};
  for (size_t i = 0; i < scene.triangles.size(); ++i) hit = meet(scene, static_cast<int32_t>(i), ray, hit);
  return hit;
}

}  // namespace heddle::workloads::nvrt
