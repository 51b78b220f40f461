// Points and directions of nvrt's host code. Rounding happens where it is named, here and in the kernel.
#pragma once

#include <algorithm>
#include <cmath>

namespace heddle::workloads::nvrt {

struct Vector {
  float x, y, z;
};

inline Vector plus(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector minus(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector minimum(Vector a, Vector b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
inline Vector maximum(Vector a, Vector b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }
inline float component(Vector a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

inline float dot(Vector a, Vector b) { return std::fma(a.x, b.x, std::fma(a.y, b.y, a.z * b.z)); }
inline Vector cross(Vector a, Vector b) {
  return {std::fma(a.y, b.z, -(a.z * b.y)), std::fma(a.z, b.x, -(a.x * b.z)), std::fma(a.x, b.y, -(a.y * b.x))};
}
// a + factor * b
inline Vector along(Vector a, float factor, Vector b) {
  return {std::fma(factor, b.x, a.x), std::fma(factor, b.y, a.y), std::fma(factor, b.z, a.z)};
}
inline Vector unit(Vector a) { return along({0, 0, 0}, 1 / std::sqrt(dot(a, a)), a); }

}  // namespace heddle::workloads::nvrt
