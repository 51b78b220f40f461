#include "workloads/ray/tracer.h"

#include <algorithm>
#include <cmath>

namespace heddle::workloads::ray {

namespace {

constexpr int32_t kNothing = -1, kPlane = -2;
constexpr float kNear = 1e-3f, kFar = 1e20f;

float dot(Vector a, Vector b) { return std::fma(a.x, b.x, std::fma(a.y, b.y, a.z * b.z)); }
Vector minus(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector over(Vector a, float length) { return {a.x / length, a.y / length, a.z / length}; }
float length_of(Vector a) { return std::sqrt(dot(a, a)); }
Vector unit(Vector a) { return over(a, length_of(a)); }

// to + factor * a
Vector plus_scaled(Vector to, float factor, Vector a) {
  return {std::fma(factor, a.x, to.x), std::fma(factor, a.y, to.y), std::fma(factor, a.z, to.z)};
}

float meet(const Sphere& sphere, Vector from, Vector direction) {
  const Vector to_centre = minus(sphere.centre, from);
  const float middle = dot(to_centre, direction);
  const float square = std::fma(middle, middle, std::fma(sphere.radius, sphere.radius, -dot(to_centre, to_centre)));
  if (square < 0) return kFar;
  const float half = std::sqrt(square);
  if (middle - half > kNear) return middle - half;
  return middle + half > kNear ? middle + half : kFar;
}

class Tracer {
 public:
  Tracer(const std::vector<Sphere>& spheres, const View& view) : spheres_(spheres), view_(view) {}

  Vector trace(Vector from, Vector direction) const {
    Vector colour{0, 0, 0};
    float weight = 1;
    for (int32_t bounce = 0; bounce <= view_.bounces && weight >= 0.02f; ++bounce) {
      const auto [distance, thing] = closest(from, direction);
      if (thing == kNothing) {
        const float height = std::fma(0.5f, direction.y, 0.5f);
        return plus_scaled(colour, weight, {0.4f * height, 0.6f * height, height});
      }
      const Vector at = plus_scaled(from, distance, direction);
      const bool plane = thing == kPlane;
      const Vector normal = plane ? Vector{0, 1, 0} : unit(minus(at, spheres_[thing].centre));
      const Vector own = plane ? plane_colour(at) : spheres_[thing].colour;
      const float mirror = plane ? 0 : spheres_[thing].mirror;
      colour = plus_scaled(colour, weight * (1 - mirror), shade(at, normal, direction, own));
      weight *= mirror;
      from = at;
      direction = unit(plus_scaled(direction, -2 * dot(direction, normal), normal));
    }
    return colour;
  }

 private:
  struct Hit {
    float distance;
    int32_t thing;
  };

  Hit closest(Vector from, Vector direction) const {
    Hit hit{kFar, kNothing};
    if (direction.y < -kNear) hit = {-from.y / direction.y, kPlane};
    for (int32_t i = 0; i < view_.spheres; ++i) {
      const float distance = meet(spheres_[i], from, direction);
      if (distance < hit.distance) hit = {distance, i};
    }
    return hit;
  }

  static Vector plane_colour(Vector at) {
    const int32_t squares = static_cast<int32_t>(std::floor(at.x)) + static_cast<int32_t>(std::floor(at.z));
    return squares % 2 != 0 ? Vector{0.9f, 0.9f, 0.9f} : Vector{0.2f, 0.2f, 0.3f};
  }

  Vector shade(Vector at, Vector normal, Vector direction, Vector colour) const {
    const Vector to_lamp = minus(view_.lamp, at);
    const float lamp_distance = length_of(to_lamp);
    const Vector lamp = over(to_lamp, lamp_distance);
    const float slope = dot(normal, lamp);
    const bool lit = slope > 0 && std::ranges::none_of(spheres_, [&](const Sphere& sphere) {
                       return meet(sphere, at, lamp) < lamp_distance;
                     });
    if (!lit) return plus_scaled({0, 0, 0}, 0.1f, colour);
    const float mirrored = std::min(0.0f, std::fma(2 * slope, dot(normal, direction), -dot(lamp, direction)));
    const float second = mirrored * mirrored, fourth = second * second, eighth = fourth * fourth;
    const float highlight = eighth * eighth;
    return plus_scaled({highlight, highlight, highlight}, std::fma(0.9f, slope, 0.1f), colour);
  }

  const std::vector<Sphere>& spheres_;
  const View& view_;
};

uint32_t byte(float value) { return static_cast<uint32_t>(255 * std::min(value, 1.0f)); }

}  // namespace

uint32_t pixel_on_cpu(const std::vector<Sphere>& spheres, const View& view, int32_t x, int32_t y) {
  const float right = static_cast<float>(2 * x - view.width) * view.pixel;
  const float up = static_cast<float>(view.height - 2 * y) * view.pixel;
  const Vector colour = Tracer(spheres, view).trace(view.eye, unit({right, up, 1}));
  return byte(colour.x) | byte(colour.y) << 8 | byte(colour.z) << 16;
}

}  // namespace heddle::workloads::ray
