#include "workloads/cfd/mesh.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::workloads::cfd {

namespace {

// Tetrahedron (a, b, c) of a unit cube has the points with x_a >= x_b >= x_c (Kuhn's triangulation); the six
// orders of the axes fill the cube, and fit those of the next cube.
using Order = std::array<uint32_t, 3>;
constexpr std::array<Order, 6> kOrders = {{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
constexpr uint32_t kPerCube = 6;

uint32_t number_of(const Order& order) {
  return static_cast<uint32_t>(std::ranges::find(kOrders, order) - kOrders.begin());
}

struct Face {
  Order order;                 // of the tetrahedron behind it
  std::array<int32_t, 3> way;  // to the cube of that tetrahedron
  std::array<float, 3> normal;
};

// In a unit cube: two faces towards other cubes, two towards tetrahedra of the same.
std::array<Face, kFaces> faces_of(const Order& order) {
  const auto [a, b, c] = order;
  std::array<Face, kFaces> faces = {
      {{{b, c, a}, {}, {}}, {{b, a, c}, {}, {}}, {{a, c, b}, {}, {}}, {{c, a, b}, {}, {}}}};
  faces[0].way[a] = 1;
  faces[0].normal[a] = 0.5f;
  faces[1].normal[a] = -0.5f;
  faces[1].normal[b] = 0.5f;
  faces[2].normal[b] = -0.5f;
  faces[2].normal[c] = 0.5f;
  faces[3].way[c] = -1;
  faces[3].normal[c] = -0.5f;
  return faces;
}

class Box {
 public:
  explicit Box(int32_t side) : side_(side) {}
  uint32_t tetrahedra() const { return static_cast<uint32_t>(side_ * side_ * side_) * kPerCube; }
  std::array<int32_t, 3> cube_of(uint32_t tetrahedron) const {
    const int32_t cube = static_cast<int32_t>(tetrahedron / kPerCube);
    return {cube % side_, cube / side_ % side_, cube / side_ / side_};
  }
  // Tetrahedron of the cube, or the kind of boundary where the cube is not part of the mesh.
  int32_t at(const std::array<int32_t, 3>& cube, const Order& order) const {
    for (int32_t i : cube)
      if (i < 0 || i >= side_) return kFarField;
    if (is_body(cube)) return kWall;
    return ((cube[2] * side_ + cube[1]) * side_ + cube[0]) * static_cast<int32_t>(kPerCube) +
           static_cast<int32_t>(number_of(order));
  }
  // Cubes grow with the distance from the middle.
  float width(int32_t i) const { return 1.0f + static_cast<float>(std::abs(2 * i + 1 - side_)) / 16.0f; }

 private:
  bool is_body(const std::array<int32_t, 3>& cube) const {
    const int32_t x = 2 * cube[0] + 1 - side_, y = 2 * cube[1] + 1 - side_, z = 2 * cube[2] + 1 - side_;
    return 4 * x * x + 25 * y * y + 16 * z * z < side_ * side_;
  }
  int32_t side_;
};

int32_t behind(const Box& box, uint32_t tetrahedron, const Face& face) {
  std::array<int32_t, 3> cube = box.cube_of(tetrahedron);
  for (uint32_t axis = 0; axis < 3; ++axis) cube[axis] += face.way[axis];
  return box.at(cube, face.order);
}

// The tetrahedra of the mesh in the order of their numbers.
std::vector<uint32_t> advancing_front(const Box& box) {
  std::vector<uint32_t> front;
  std::vector<bool> known(box.tetrahedra(), false);
  auto add = [&](uint32_t tetrahedron) {
    if (known[tetrahedron]) return;
    known[tetrahedron] = true;
    front.push_back(tetrahedron);
  };
  for (uint32_t tetrahedron = 0; tetrahedron < box.tetrahedra(); ++tetrahedron) {
    const Order& order = kOrders[tetrahedron % kPerCube];
    if (box.at(box.cube_of(tetrahedron), order) < 0) continue;
    for (const Face& face : faces_of(order))
      if (behind(box, tetrahedron, face) < 0) add(tetrahedron);
  }
  for (size_t next = 0; next < front.size(); ++next)
    for (const Face& face : faces_of(kOrders[front[next] % kPerCube])) {
      const int32_t neighbour = behind(box, front[next], face);
      if (neighbour >= 0) add(static_cast<uint32_t>(neighbour));
    }
  return front;
}

}  // namespace

Mesh mesh_around_body(int32_t side) {
  const Box box(side);
  const std::vector<uint32_t> front = advancing_front(box);
  const uint32_t elements = static_cast<uint32_t>(front.size());
  std::vector<int32_t> number(box.tetrahedra(), -1);
  for (uint32_t element = 0; element < elements; ++element) number[front[element]] = static_cast<int32_t>(element);

  Mesh mesh{elements, std::vector<int32_t>(kFaces * elements), std::vector<float>(kFaces * 3 * elements),
            std::vector<float>(elements)};
  Random random(1);
  for (uint32_t element = 0; element < elements; ++element) {
    const auto cube = box.cube_of(front[element]);
    const std::array<float, 3> width = {box.width(cube[0]), box.width(cube[1]), box.width(cube[2])};
    const auto faces = faces_of(kOrders[front[element] % kPerCube]);
    const uint32_t first = random.below(kFaces);  // a mesher lists the faces in no order that means anything
    for (uint32_t i = 0; i < kFaces; ++i) {
      const Face& face = faces[(first + i) % kFaces];
      const int32_t neighbour = behind(box, front[element], face);
      mesh.neighbours[i * elements + element] = neighbour < 0 ? neighbour : number[neighbour];
      double square = 0;
      for (uint32_t axis = 0; axis < 3; ++axis) {
        const float normal = face.normal[axis] * width[(axis + 1) % 3] * width[(axis + 2) % 3];
        mesh.normals[(3 * i + axis) * elements + element] = normal;
        square += double{normal} * normal;
      }
      mesh.surfaces[element] += static_cast<float>(std::sqrt(square));
    }
  }
  return mesh;
}

}  // namespace heddle::workloads::cfd
