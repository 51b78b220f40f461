#include <array>

#include "workloads/nvrt/scene.h"

namespace heddle::workloads::nvrt {

namespace {

constexpr Vector kRoom = {12, 7, 3};  // metres
constexpr float kUneven = 0.1f;       // of a cell's width

// Where a thing stands and which way its own x axis points.
struct Place {
  Vector at;
  float x, y;
  Vector of(Vector point) const {
    return {std::fma(x, point.x, std::fma(-y, point.y, at.x)), std::fma(y, point.x, std::fma(x, point.y, at.y)),
            at.z + point.z};
  }
};

class Builder {
 public:
  explicit Builder(uint32_t cells) : cells_(cells) {}

  void add_box(const Place& place, Vector low, Vector high, uint32_t finer = 1) {
    const Vector size = minus(high, low);
    const Vector x = {size.x, 0, 0}, y = {0, size.y, 0}, z = {0, 0, size.z};
    const std::array<std::array<Vector, 2>, 3> sides = {{{x, y}, {x, z}, {y, z}}};
    const Vector opposite[] = {z, y, x};
    for (int side = 0; side < 3; ++side) {
      add_face(place, low, sides[side], finer * cells_);
      add_face(place, plus(low, opposite[side]), sides[side], finer * cells_);
    }
  }

  void add_chair(const Place& place) {
    add_box(place, {-0.25f, -0.25f, 0.42f}, {0.25f, 0.25f, 0.50f});
    add_box(place, {-0.25f, 0.22f, 0.50f}, {0.25f, 0.28f, 1.00f});
    for (const float side : {-0.28f, 0.28f}) {
      add_box(place, {side - 0.03f, -0.20f, 0.65f}, {side + 0.03f, 0.20f, 0.68f});
      for (const float end : {-0.20f, 0.20f})
        add_box(place, {side - 0.02f, end - 0.02f, 0}, {side + 0.02f, end + 0.02f, 0.65f});
    }
  }

  // In four rows, two on either side of the table, each chair turned a little.
  void add_chairs(uint32_t chairs) {
    const uint32_t per_row = ceil_div(chairs, 4);
    for (uint32_t i = 0; i < chairs; ++i) {
      const uint32_t row = i / per_row;
      const float facing = row < 2 ? -1.0f : 1.0f;  // its back is away from the table
      const Vector heading = unit({facing, random_.between(-0.3f, 0.3f), 0});
      const float x = kRoom.x * (static_cast<float>(i % per_row) + 0.7f) / (static_cast<float>(per_row) + 0.4f);
      const float y = std::fma(facing, row % 2 == 0 ? 1.4f : 2.4f, kRoom.y / 2);
      add_chair({{x, y, 0}, heading.x, heading.y});
    }
  }

  std::vector<Triangle> take() { return std::move(triangles_); }

 private:
  void add_face(const Place& place, Vector corner, const std::array<Vector, 2>& sides, uint32_t cells) {
    const float step = 1 / static_cast<float>(cells);
    const Vector normal = unit(cross(sides[0], sides[1]));
    const float uneven = kUneven * step * std::sqrt(std::min(dot(sides[0], sides[0]), dot(sides[1], sides[1])));
    std::vector<Vector> points;
    for (uint32_t j = 0; j <= cells; ++j)
      for (uint32_t i = 0; i <= cells; ++i) {
        const bool inside = i > 0 && j > 0 && i < cells && j < cells;  // no gaps between faces
        const Vector point =
            along(along(corner, static_cast<float>(i) * step, sides[0]), static_cast<float>(j) * step, sides[1]);
        points.push_back(place.of(inside ? along(point, random_.between(-uneven, uneven), normal) : point));
      }
    for (uint32_t j = 0; j < cells; ++j)
      for (uint32_t i = 0; i < cells; ++i) {
        const Vector* at = &points[j * (cells + 1) + i];
        add(at[0], at[1], at[cells + 1]);
        add(at[cells + 2], at[cells + 1], at[1]);
      }
  }

  void add(Vector a, Vector b, Vector c) { triangles_.push_back({a, 0, minus(b, a), minus(c, a)}); }

  uint32_t cells_;
  Random random_{1};
  std::vector<Triangle> triangles_;
};

}  // namespace

std::vector<Triangle> conference_room(uint32_t chairs, uint32_t cells) {
  Builder builder(cells);
  const Place middle = {{kRoom.x / 2, kRoom.y / 2, 0}, 1, 0};
  builder.add_box(middle, {-kRoom.x / 2, -kRoom.y / 2, 0}, {kRoom.x / 2, kRoom.y / 2, kRoom.z}, 6);
  builder.add_box(middle, {-4.5f, -0.9f, 0.70f}, {4.5f, 0.9f, 0.75f}, 4);
  for (const float leg : {-3.5f, 0.0f, 3.5f}) builder.add_box(middle, {leg, -0.4f, 0}, {leg + 0.1f, 0.4f, 0.70f});
  for (const float lamp : {-4.0f, -2.0f, 0.0f, 2.0f, 4.0f})
    builder.add_box(middle, {lamp, -0.6f, 2.6f}, {lamp + 0.4f, 0.6f, 2.7f});
  builder.add_chairs(chairs);
  return builder.take();
}

}  // namespace heddle::workloads::nvrt
