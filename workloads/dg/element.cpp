#include "workloads/dg/element.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace heddle::workloads::dg {

namespace {

using Matrix = std::vector<std::vector<double>>;

// The polynomial that is 1 at count/6 and 0 at all smaller multiples of 1/6; a node's function is the product
// of four of these (Silvester 1969).
double factor(int32_t count, double weight) {
  double value = 1;
  for (int32_t i = 0; i < count; ++i) value *= (kOrder * weight - i) / (i + 1);
  return value;
}

double factor_derivative(int32_t count, double weight) {
  double sum = 0;
  for (int32_t skip = 0; skip < count; ++skip) {
    double term = double{kOrder} / (skip + 1);
    for (int32_t i = 0; i < count; ++i)
      if (i != skip) term *= (kOrder * weight - i) / (i + 1);
    sum += term;
  }
  return sum;
}

// By the weight of one vertex, at another node.
double partial(const Weights& function, const Weights& node, size_t by) {
  double value = 1;
  for (size_t vertex = 0; vertex < 4; ++vertex) {
    const double weight = double(node[vertex]) / kOrder;
    value *= vertex == by ? factor_derivative(function[vertex], weight) : factor(function[vertex], weight);
  }
  return value;
}

struct Sample {
  double place, weight;
};

// Gauss' eight samples on [0, 1], exact up to degree 15: the roots of the Legendre polynomial by Newton.
std::array<Sample, 8> gauss_samples() {
  std::array<Sample, 8> samples;
  for (int i = 0; i < 8; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / 8.5), slope = 0;
    for (int step = 0; step < 20; ++step) {
      double before = 1, value = x;
      for (int degree = 2; degree <= 8; ++degree)
        before = std::exchange(value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree);
      slope = 8 * (x * value - before) / (x * x - 1);
      x -= value / slope;
    }
    samples[static_cast<size_t>(i)] = {(1 + x) / 2, 1 / ((1 - x * x) * slope * slope)};
  }
  return samples;
}

// Adds, at one sample, the products of all pairs of functions.
void add_products(Matrix& mass, const std::vector<Weights>& functions, const std::array<double, 4>& weights,
                  double factor_of_sample) {
  std::vector<double> values;
  for (const Weights& function : functions) {
    double value = 1;
    for (size_t vertex = 0; vertex < 4; ++vertex) value *= factor(function[vertex], weights[vertex]);
    values.push_back(value);
  }
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = 0; j < values.size(); ++j) mass[i][j] += factor_of_sample * values[i] * values[j];
}

Matrix zero_matrix(size_t rows, size_t columns) { return Matrix(rows, std::vector<double>(columns)); }

// Integrals over the tetrahedron, seen as a cube of which a face shrinks to an edge and an edge to a point.
Matrix volume_mass(const std::vector<Weights>& functions) {
  Matrix mass = zero_matrix(functions.size(), functions.size());
  const auto samples = gauss_samples();
  for (const Sample& c : samples)
    for (const Sample& b : samples)
      for (const Sample& a : samples) {
        const double t = c.place, s = b.place * (1 - t), r = a.place * (1 - t - s);
        add_products(mass, functions, {1 - r - s - t, r, s, t}, a.weight * b.weight * c.weight * (1 - t) * (1 - t - s));
      }
  return mass;
}

// Integrals over the face without the last vertex; the other faces have the same.
Matrix face_mass(const std::vector<Weights>& functions) {
  Matrix mass = zero_matrix(functions.size(), functions.size());
  const auto samples = gauss_samples();
  for (const Sample& b : samples)
    for (const Sample& a : samples) {
      const double s = b.place, r = a.place * (1 - s);
      add_products(mass, functions, {1 - r - s, r, s, 0}, a.weight * b.weight * (1 - s));
    }
  return mass;
}

// Solves matrix x = right for all columns of right at once. Masses are positive definite: no pivoting needed.
Matrix solve(Matrix matrix, Matrix right) {
  const size_t n = matrix.size();
  for (size_t pivot = 0; pivot < n; ++pivot)
    for (size_t row = 0; row < n; ++row) {
      if (row == pivot) continue;
      const double times = matrix[row][pivot] / matrix[pivot][pivot];
      if (times == 0) continue;
      for (size_t column = pivot; column < n; ++column) matrix[row][column] -= times * matrix[pivot][column];
      for (size_t column = 0; column < right[row].size(); ++column) right[row][column] -= times * right[pivot][column];
    }
  for (size_t row = 0; row < n; ++row)
    for (double& value : right[row]) value /= matrix[row][row];
  return right;
}

// The nodes of face 3 as functions on it, and what that order is on face f: vertex 3 in the place of f.
Weights moved(const Weights& on_last_face, size_t face) {
  Weights weights = on_last_face;
  std::swap(weights[face], weights[3]);
  return weights;
}

}  // namespace

Element::Element() {
  for (int32_t l = 0; l <= kOrder; ++l)
    for (int32_t k = 0; k <= kOrder - l; ++k)
      for (int32_t j = 0; j <= kOrder - l - k; ++j) nodes.push_back({kOrder - j - k - l, j, k, l});

  std::vector<Weights> flat;
  for (const Weights& node : nodes)
    if (node[3] == 0) flat.push_back(node);
  const Matrix flat_mass = face_mass(flat);
  Matrix right = zero_matrix(kNodes, kAllFaceNodes);
  for (size_t face = 0; face < kFaces; ++face)
    for (size_t i = 0; i < kFaceNodes; ++i) {
      const auto node =
          static_cast<size_t>(std::find(nodes.begin(), nodes.end(), moved(flat[i], face)) - nodes.begin());
      face_nodes[face].push_back(static_cast<int32_t>(node));
      for (size_t j = 0; j < kFaceNodes; ++j) right[node][face * kFaceNodes + j] = flat_mass[i][j];
    }
  const Matrix lifted = solve(volume_mass(nodes), right);
  for (size_t column = 0; column < kAllFaceNodes; ++column)
    for (size_t node = 0; node < kNodes; ++node) lift.push_back(static_cast<float>(lifted[node][column]));

  for (const Weights& function : nodes)
    for (const Weights& node : nodes) {
      const double base = partial(function, node, 0);
      auto along = [&](size_t vertex) { return static_cast<float>(partial(function, node, vertex) - base); };
      derivative.push_back({along(1), along(2), along(3), 0});
    }
}

}  // namespace heddle::workloads::dg
