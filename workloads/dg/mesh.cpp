#include "workloads/dg/mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "workloads/support.h"

namespace heddle::workloads::dg {

namespace {

using Corner = std::array<int32_t, 3>;  // of a cube
using Point = std::array<double, 3>;
using Tetrahedron = std::array<Corner, 4>;

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Kuhn's cut: from one corner of the cube to the opposite one along its edges, in each of the six orders.
void add_cube(std::vector<Tetrahedron>& tetrahedra, const Corner& corner) {
  std::array<size_t, 3> order = {0, 1, 2};
  do {
    Tetrahedron tetrahedron;
    tetrahedron[0] = corner;
    for (size_t i = 0; i < 3; ++i) {
      tetrahedron[i + 1] = tetrahedron[i];
      ++tetrahedron[i + 1][order[i]];
    }
    // Half of them are mirror images of the others.
    const bool even = (order[0] + 1) % 3 == order[1];
    if (!even) std::swap(tetrahedron[1], tetrahedron[2]);
    tetrahedra.push_back(tetrahedron);
  } while (std::next_permutation(order.begin(), order.end()));
}

class MeshBuilder {
 public:
  MeshBuilder(const Element& element, std::vector<Tetrahedron> tetrahedra)
      : element_(element), tetrahedra_(std::move(tetrahedra)) {
    mesh_.elements = static_cast<uint32_t>(tetrahedra_.size());
    for (const Tetrahedron& tetrahedron : tetrahedra_) add_geometry(tetrahedron);
    for (size_t i = 0; i < tetrahedra_.size(); ++i)
      for (size_t face = 0; face < kFaces; ++face)
        for (int32_t node : element_.face_nodes[face]) holders_[lattice_point(i, node)].push_back({i, node});
    for (size_t i = 0; i < tetrahedra_.size(); ++i)
      for (size_t face = 0; face < kFaces; ++face) add_face_nodes(i, face);
  }
  Mesh take() { return std::move(mesh_); }

 private:
  struct Holder {
    size_t element;
    int32_t node;
  };

  // Corners are moved a little, the same for every tetrahedron that has them.
  static Point place_of(const Corner& corner) {
    Random random(static_cast<uint64_t>((corner[2] * 1000 + corner[1]) * 1000 + corner[0]));
    Point place;
    for (size_t axis = 0; axis < 3; ++axis) place[axis] = corner[axis] + double{random.between(-0.1f, 0.1f)};
    return place;
  }

  void add_geometry(const Tetrahedron& tetrahedron) {
    const Point origin = place_of(tetrahedron[0]);
    std::array<Point, 3> edges;
    for (size_t i = 0; i < 3; ++i) edges[i] = minus(place_of(tetrahedron[i + 1]), origin);
    const double volume = dot(edges[0], cross(edges[1], edges[2]));  // six times that of the tetrahedron
    std::array<Point, 4> gradients{};                                // of the weights of the vertices
    for (size_t i = 0; i < 3; ++i) {
      gradients[i + 1] = cross(edges[(i + 1) % 3], edges[(i + 2) % 3]);
      for (size_t axis = 0; axis < 3; ++axis) {
        gradients[i + 1][axis] /= volume;
        gradients[0][axis] -= gradients[i + 1][axis];
      }
    }
    for (size_t axis = 0; axis < 3; ++axis)
      mesh_.gradients.push_back({static_cast<float>(gradients[1][axis]), static_cast<float>(gradients[2][axis]),
                                 static_cast<float>(gradients[3][axis]), 0});
    for (const Point& gradient : gradients) {
      const double length = std::sqrt(dot(gradient, gradient));
      mesh_.faces.push_back({static_cast<float>(-gradient[0] / length), static_cast<float>(-gradient[1] / length),
                             static_cast<float>(-gradient[2] / length), static_cast<float>(length)});
    }
  }

  // In sixths of a cube, before the jitter: whole numbers, so equal points have equal numbers.
  Corner lattice_point(size_t element, int32_t node) const {
    Corner point{};
    for (size_t vertex = 0; vertex < 4; ++vertex)
      for (size_t axis = 0; axis < 3; ++axis)
        point[axis] += element_.nodes[node][vertex] * tetrahedra_[element][vertex][axis];
    return point;
  }

  bool has_corner(size_t element, const Corner& corner) const {
    return std::ranges::find(tetrahedra_[element], corner) != tetrahedra_[element].end();
  }

  // The other element with the three corners of the face, or the number of elements.
  size_t neighbour(size_t element, size_t face) const {
    for (const Holder& holder : holders_.at(lattice_point(element, element_.face_nodes[face][0]))) {
      bool all = holder.element != element;
      for (size_t vertex = 0; vertex < 4; ++vertex)
        all &= vertex == face || has_corner(holder.element, tetrahedra_[element][vertex]);
      if (all) return holder.element;
    }
    return tetrahedra_.size();
  }

  void add_face_nodes(size_t element, size_t face) {
    const size_t other = neighbour(element, face);
    for (int32_t node : element_.face_nodes[face]) {
      int32_t theirs = -1;
      for (const Holder& holder : holders_.at(lattice_point(element, node)))
        if (holder.element == other) theirs = static_cast<int32_t>(other * 6 * kNodes) + holder.node;
      mesh_.face_nodes.push_back({node, theirs});
    }
  }

  const Element& element_;
  std::vector<Tetrahedron> tetrahedra_;
  std::map<Corner, std::vector<Holder>> holders_;  // who has a face node at a point
  Mesh mesh_{};
};

}  // namespace

Mesh box_mesh(const Element& element, uint32_t x, uint32_t y, uint32_t z, uint32_t elements) {
  std::vector<Tetrahedron> tetrahedra;
  for (int32_t k = 0; k < static_cast<int32_t>(z); ++k)
    for (int32_t j = 0; j < static_cast<int32_t>(y); ++j)
      for (int32_t i = 0; i < static_cast<int32_t>(x); ++i) add_cube(tetrahedra, {i, j, k});
  tetrahedra.resize(std::min<size_t>(elements, tetrahedra.size()));
  return MeshBuilder(element, tetrahedra).take();
}

}  // namespace heddle::workloads::dg
