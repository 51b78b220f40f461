#include "workloads/ray/tracer.h"

#include <algorithm>
#include <cmath>

namespace heddle::workloads::ray {

namespace {

using Light = std::array<double, 4>;

constexpr int kMostHits = 5;
constexpr float kFar = 10000, kStep = 0.0001f;

struct Ray {
  Vector from, direction;
};

float dot(Vector a, Vector b) { return std::fma(a.x, b.x, std::fma(a.y, b.y, a.z * b.z)); }
Vector minus(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector times(float factor, Vector a) { return {factor * a.x, factor * a.y, factor * a.z}; }
Vector unit(Vector a) { return times(1 / std::sqrt(dot(a, a)), a); }

// to + factor a
Vector plus_scaled(Vector to, float factor, Vector a) {
  return {std::fma(factor, a.x, to.x), std::fma(factor, a.y, to.y), std::fma(factor, a.z, to.z)};
}

float meet_sphere(const Ray& ray, const Thing& sphere) {
  const Vector to_centre = minus(sphere.centre, ray.from);
  const float nearest = dot(to_centre, ray.direction), away = dot(to_centre, to_centre);
  const float square = sphere.radius * sphere.radius, aside = std::fma(-nearest, nearest, away);
  const bool outside = away > square;
  if ((outside && nearest < 0) || aside > square) return 0;
  const float half = std::sqrt(std::fma(sphere.radius, sphere.radius, -aside));
  return outside ? nearest - half : nearest + half;
}

float meet(const Ray& ray, const Thing& thing) {
  if (thing.floor == 0) return meet_sphere(ray, thing);
  if (std::abs(ray.direction.y) < 0.0001f) return 0;
  return std::max(0.0f, (thing.centre.y - ray.from.y) / ray.direction.y);  // the others' parts are zeros
}

bool lamp_seen(const Scene& scene, Vector at, Vector direction, float lamp_square) {
  const Ray ray{plus_scaled(at, kStep, direction), direction};
  return std::ranges::none_of(scene.things, [&](const Thing& thing) {
    const float distance = meet(ray, thing);
    return distance > 0 && distance * distance <= lamp_square;
  });
}

Light shade(const Scene& scene, Vector at, Vector normal, Vector to_eye, const std::array<float, 4>& colour) {
  const Vector to_lamp = minus(scene.lamp, at), direction = unit(to_lamp);
  if (dot(to_eye, normal) < 0) normal = times(-1, normal);
  const float slope = dot(normal, direction);
  const bool lit = slope > 0 && lamp_seen(scene, at, direction, dot(to_lamp, to_lamp));
  const Vector between = unit(plus_scaled(direction, 1, to_eye));
  const double diffuse = lit ? 0.3 * std::min(1.0, double(slope)) : 0.0;
  const double highlight = lit ? 0.8 * std::pow(std::clamp(double(dot(normal, between)), 0.0, 1.0), 50.0) : 0.0;
  Light light{highlight, highlight, highlight, 0};
  for (size_t i = 0; i < light.size(); ++i) light[i] += (0.05 + diffuse) * double(colour[i]);
  return light;
}

struct Hit {
  const Thing* thing = nullptr;
  float distance = kFar;
};

Hit closest(const Scene& scene, const Ray& ray) {
  Hit hit;
  for (const Thing& thing : scene.things) {
    const float distance = meet(ray, thing);
    if (distance > 0 && distance < hit.distance) hit = {&thing, distance};
  }
  return hit;
}

// What comes along the ray, which is allowed so many hits; nothing from the sky.
Light trace(const Scene& scene, const Ray& ray, int hits_left) {
  if (hits_left == 0) return {};
  const auto [thing, distance] = closest(scene, ray);
  if (thing == nullptr) return {};
  const Vector at = plus_scaled(ray.from, distance, ray.direction), to_eye = unit(minus(ray.from, at));
  const Vector normal = thing->floor != 0 ? Vector{0, 1, 0} : unit(minus(at, thing->centre));
  Light light = shade(scene, at, normal, to_eye, thing->colour);
  const Vector onwards = unit(plus_scaled(times(-1, to_eye), 2 * dot(normal, to_eye), normal));
  const Light mirrored = trace(scene, {plus_scaled(at, kStep, onwards), onwards}, hits_left - 1);
  for (size_t i = 0; i < light.size(); ++i) light[i] += 0.8 * mirrored[i];
  return light;
}

}  // namespace

View view_from(Vector eye) {
  const Vector ahead = unit(times(-1, eye));
  const Vector up = unit(plus_scaled({0, 1, 0}, -ahead.y, ahead));
  const Vector right = {std::fma(ahead.y, up.z, -(ahead.z * up.y)), std::fma(ahead.z, up.x, -(ahead.x * up.z)),
                        std::fma(ahead.x, up.y, -(ahead.y * up.x))};
  return {ahead, up, right, eye};
}

std::array<double, 4> pixel_on_cpu(const Scene& scene, uint32_t x, uint32_t y) {
  const float pixel = 2 / static_cast<float>(std::min(scene.width, scene.height));
  const float right = (static_cast<float>(x) - 0.5f * static_cast<float>(scene.width)) * pixel;
  const float up = (static_cast<float>(y) - 0.5f * static_cast<float>(scene.height)) * pixel;
  const View& view = scene.view;
  const Vector through = plus_scaled(plus_scaled(times(scene.focus, view.ahead), right, view.right), up, view.up);
  Light light = trace(scene, {view.eye, unit(through)}, kMostHits);
  if (light == Light{}) light[3] = 1;  // the sky
  for (double& part : light) part = 255 * std::min(part, 1.0);
  return light;
}

}  // namespace heddle::workloads::ray
