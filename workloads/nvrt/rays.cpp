#include "workloads/nvrt/scene.h"

namespace heddle::workloads::nvrt {

namespace {

constexpr uint32_t kTileWidth = 8, kTileHeight = 4;
constexpr float kFarthest = 1e30f;

// The kernel divides by the components of a direction.
Vector without_zeros(Vector a) {
  auto not_zero = [](float value) { return std::abs(value) < 0.001f ? 0.001f : value; };
  return {not_zero(a.x), not_zero(a.y), not_zero(a.z)};
}

Vector random_direction(Random& random) {
  for (;;) {
    const float x = random.between(-1.0f, 1.0f), y = random.between(-1.0f, 1.0f);
    const Vector point = {x, y, random.between(-1.0f, 1.0f)};
    if (const float square = dot(point, point); square > 0.01f && square < 1) return unit(point);
  }
}

Ray camera_ray(float right, float down) {
  const Vector ahead = unit({9, 5, -0.8f}), sideways = unit({5, -9, 0}), downwards = cross(ahead, sideways);
  const Vector direction = along(along(ahead, right, sideways), down, downwards);
  return {{0.5f, 0.6f, 1.7f}, kFarthest, without_zeros(direction)};
}

}  // namespace

std::vector<Ray> camera_rays(uint32_t width, uint32_t height) {
  std::vector<Ray> rays;
  for (uint32_t i = 0; i < width * height; ++i) {
    const uint32_t tile = i / (kTileWidth * kTileHeight), pixel = i % (kTileWidth * kTileHeight);
    const uint32_t x = tile % (width / kTileWidth) * kTileWidth + pixel % kTileWidth;
    const uint32_t y = tile / (width / kTileWidth) * kTileHeight + pixel / kTileWidth;
    const float right = (static_cast<float>(x) + 0.5f) / static_cast<float>(width) - 0.5f;
    const float down = (static_cast<float>(y) + 0.5f) / static_cast<float>(height) - 0.5f;
    rays.push_back(camera_ray(1.4f * right, down));
  }
  return rays;
}

std::vector<Ray> bounced_rays(const Scene& scene, const std::vector<Ray>& rays, const std::vector<Hit>& hits,
                              float farthest, uint64_t seed) {
  Random random(seed);
  std::vector<Ray> bounced;
  for (size_t i = 0; i < rays.size(); ++i) {
    const Vector anywhere = random_direction(random);
    if (hits[i].triangle < 0) {
      bounced.push_back({{6, 3.5f, 1.5f}, farthest, without_zeros(anywhere)});
      continue;
    }
    const Triangle& triangle = scene.triangles[static_cast<size_t>(hits[i].triangle)];
    const Vector one_side = unit(cross(triangle.edge1, triangle.edge2));
    const Vector normal = dot(one_side, rays[i].direction) < 0 ? one_side : minus({0, 0, 0}, one_side);
    const Vector surface = along(rays[i].origin, hits[i].distance, rays[i].direction);
    bounced.push_back({along(surface, 0.001f, normal), farthest, without_zeros(unit(plus(normal, anywhere)))});
  }
  return bounced;
}

}  // namespace heddle::workloads::nvrt
