#include "workloads/nvrt/scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace heddle::workloads::nvrt {

namespace {

constexpr uint32_t kLeafTriangles = 4;

Vector plus(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector minus(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector minimum(Vector a, Vector b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vector maximum(Vector a, Vector b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }
float component(Vector a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

// Rounding happens where it is named, here and in the kernel.
float dot(Vector a, Vector b) { return std::fma(a.x, b.x, std::fma(a.y, b.y, a.z * b.z)); }
Vector cross(Vector a, Vector b) {
  return {std::fma(a.y, b.z, -(a.z * b.y)), std::fma(a.z, b.x, -(a.x * b.z)), std::fma(a.x, b.y, -(a.y * b.x))};
}
Vector along(const Ray& ray, float distance) {
  return {std::fma(ray.direction.x, distance, ray.origin.x), std::fma(ray.direction.y, distance, ray.origin.y),
          std::fma(ray.direction.z, distance, ray.origin.z)};
}

Triangle between(Vector a, Vector b, Vector c) { return {a, minus(b, a), minus(c, a)}; }

struct Bounds {
  Vector low, high;
};

Bounds bounds_of(const Triangle& triangle) {
  const Vector a = triangle.corner, b = plus(a, triangle.edge1), c = plus(a, triangle.edge2);
  return {minimum(a, minimum(b, c)), maximum(a, maximum(b, c))};
}

Bounds joined(const Bounds& a, const Bounds& b) { return {minimum(a.low, b.low), maximum(a.high, b.high)}; }

// Splits at the median of the longest axis until four triangles are left.
class HierarchyBuilder {
 public:
  explicit HierarchyBuilder(const std::vector<Triangle>& triangles) : triangles_(triangles), order_(triangles.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    for (const Triangle& triangle : triangles) bounds_.push_back(bounds_of(triangle));
  }

  Scene build() {
    scene_.nodes.emplace_back();
    build_node(0, 0, static_cast<uint32_t>(order_.size()));
    for (uint32_t i : order_) scene_.triangles.push_back(triangles_[i]);
    return std::move(scene_);
  }

 private:
  void build_node(size_t node, uint32_t begin, uint32_t end) {
    Bounds box = bounds_[order_[begin]];
    for (uint32_t i = begin; i < end; ++i) box = joined(box, bounds_[order_[i]]);
    // Wide enough that rounding in the kernel's box test cannot lose a triangle inside.
    const Vector margin = {1e-4f, 1e-4f, 1e-4f};
    scene_.nodes[node].low = minus(box.low, margin);
    scene_.nodes[node].high = plus(box.high, margin);
    if (end - begin <= kLeafTriangles) {
      scene_.nodes[node].first = static_cast<int32_t>(begin);
      scene_.nodes[node].count = static_cast<int32_t>(end - begin);
      return;
    }
    const int axis = longest_axis(box);
    sort_along(axis, begin, end);
    const size_t child = scene_.nodes.size();
    scene_.nodes[node].first = static_cast<int32_t>(child);
    scene_.nodes[node].count = -axis;
    scene_.nodes.resize(child + 2);
    build_node(child, begin, begin + (end - begin) / 2);
    build_node(child + 1, begin + (end - begin) / 2, end);
  }

  static int longest_axis(const Bounds& box) {
    const Vector size = minus(box.high, box.low);
    if (size.x >= size.y && size.x >= size.z) return 0;
    return size.y >= size.z ? 1 : 2;
  }

  // Ties by number, so that every library's sort gives the same order.
  void sort_along(int axis, uint32_t begin, uint32_t end) {
    auto key = [&](uint32_t i) { return component(bounds_[i].low, axis) + component(bounds_[i].high, axis); };
    std::sort(order_.begin() + begin, order_.begin() + end,
              [&](uint32_t a, uint32_t b) { return std::pair(key(a), a) < std::pair(key(b), b); });
  }

  const std::vector<Triangle>& triangles_;
  std::vector<uint32_t> order_;
  std::vector<Bounds> bounds_;
  Scene scene_;
};

float not_zero(float value) { return std::abs(value) < 0.001f ? 0.001f : value; }

Vector random_vector(Random& random, Vector low, Vector high) {
  const float x = random.between(low.x, high.x), y = random.between(low.y, high.y);
  return {x, y, random.between(low.z, high.z)};
}

}  // namespace

Scene landscape(uint32_t cells) {
  Random random(1);
  const float side = 1.0f / static_cast<float>(cells);
  std::vector<Vector> corners;
  for (uint32_t y = 0; y <= cells; ++y)
    for (uint32_t x = 0; x <= cells; ++x) {
      const float height = random.between(0.0f, side);
      corners.push_back({static_cast<float>(x) * side, static_cast<float>(y) * side, height});
    }

  std::vector<Triangle> triangles;
  for (uint32_t y = 0; y < cells; ++y)
    for (uint32_t x = 0; x < cells; ++x) {
      const Vector* at = &corners[y * (cells + 1) + x];
      triangles.push_back(between(at[0], at[1], at[cells + 1]));
      triangles.push_back(between(at[cells + 2], at[cells + 1], at[1]));
      const Vector loose = random_vector(random, {0, 0, 0.1f}, {1, 1, 0.5f});
      triangles.push_back({loose, random_vector(random, {-side, -side, -side}, {side, side, side}),
                           random_vector(random, {-side, -side, -side}, {side, side, side})});
    }
  return HierarchyBuilder(triangles).build();
}

std::vector<Ray> camera_rays(uint32_t width, uint32_t height) {
  std::vector<Ray> rays;
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      const float right = (static_cast<float>(x) + 0.5f) / static_cast<float>(width) - 0.5f;
      const float down = (static_cast<float>(y) + 0.5f) / static_cast<float>(height);
      rays.push_back({{0.5f, -0.6f, 0.6f}, {not_zero(right), 1.0f, not_zero(0.25f - down)}});
    }
  return rays;
}

std::vector<Ray> bounced_rays(const std::vector<Ray>& rays, const std::vector<Hit>& hits) {
  Random random(2);
  std::vector<Ray> bounced;
  for (size_t i = 0; i < rays.size(); ++i) {
    const bool hit = hits[i].triangle >= 0;
    const Vector in_air = random_vector(random, {0, 0, 0.3f}, {1, 1, 0.6f});
    const Vector up = random_vector(random, {-1, -1, 0.02f}, {1, 1, 1});
    const Vector direction = {not_zero(up.x), not_zero(up.y), hit ? up.z : -up.z};
    const Vector above_hit = plus(along(rays[i], hits[i].distance), {0, 0, 0.001f});
    bounced.push_back({hit ? above_hit : in_air, direction});
  }
  return bounced;
}

Hit closest_hit(const Scene& scene, const Ray& ray) {
  Hit hit{-1, 1e30f};
  for (size_t i = 0; i < scene.triangles.size(); ++i) {
    const Triangle& triangle = scene.triangles[i];
    const Vector p = cross(ray.direction, triangle.edge2);
    const float determinant = dot(triangle.edge1, p);
    if (std::abs(determinant) < 1e-6f) continue;
    const float inverse = 1.0f / determinant;
    const Vector s = minus(ray.origin, triangle.corner);
    const float u = dot(s, p) * inverse;
    if (u < 0 || u > 1) continue;
    const Vector q = cross(s, triangle.edge1);
    const float v = dot(ray.direction, q) * inverse;
    if (v < 0 || u + v > 1) continue;
    const float distance = dot(triangle.edge2, q) * inverse;
    if (distance > 0 && distance < hit.distance) hit = {static_cast<int32_t>(i), distance};
  }
  return hit;
}

}  // namespace heddle::workloads::nvrt
