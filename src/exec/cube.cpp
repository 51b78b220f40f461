#include "exec/cube.h"

#include <cmath>

namespace heddle {
namespace {

struct Axis {
  unsigned axis;  // 0 x, 1 y, 2 z
  double sign;
};
struct Face {
  Axis m, s, t;  // s and t over m give the place
};
constexpr Face kFaces[] = {{{0, 1}, {2, -1}, {1, -1}}, {{0, -1}, {2, 1}, {1, -1}}, {{1, 1}, {0, 1}, {2, 1}},
                           {{1, -1}, {0, 1}, {2, -1}}, {{2, 1}, {0, 1}, {1, -1}},  {{2, -1}, {0, -1}, {1, -1}}};

// What is no number counts as nothing.
std::array<double, 3> numbers_of(std::array<double, 3> direction) {
  for (double& each : direction) each = std::isnan(each) ? 0 : each;
  return direction;
}

double along(const std::array<double, 3>& direction, const Axis& axis) { return axis.sign * direction[axis.axis]; }

unsigned face_of(const std::array<double, 3>& direction) {
  const double x = std::abs(direction[0]), y = std::abs(direction[1]), z = std::abs(direction[2]);
  const unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  return 2 * axis + (direction[axis] < 0 ? 1 : 0);
}

}  // namespace

CubePlace cube_place(const std::array<double, 3>& towards) {
  const std::array<double, 3> direction = numbers_of(towards);
  const unsigned number = face_of(direction);
  const Face& face = kFaces[number];
  const double m = along(direction, face.m);
  if (m == 0) return {4, 0.5, 0.5};
  return {number, (along(direction, face.s) / m + 1) / 2, (along(direction, face.t) / m + 1) / 2};
}

std::array<double, 2> cube_change(const std::array<double, 3>& direction, const std::array<double, 3>& step) {
  const Face& face = kFaces[face_of(direction)];
  const double m = along(direction, face.m), m_step = along(step, face.m);
  const auto change = [&](const Axis& axis) {
    return (along(step, axis) * m - along(direction, axis) * m_step) / (2 * m * m);
  };
  return {change(face.s), change(face.t)};
}

}  // namespace heddle
