#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "workloads/support.h"

namespace heddle::workloads::eigenvalues {

namespace {

constexpr uint32_t kThreads = 256;
constexpr float kPrecision = 1e-5f;

struct Interval {  // as in kernel.cu
  float left, right;
  uint32_t below_left, below_right;
};

// All matrices one after the other.
struct Matrices {
  std::vector<float> diagonals, squares;  // a matrix's first square is 0
  std::vector<uint32_t> begins = {0};
  std::vector<float> lowest, highest;  // bounds of the eigenvalues
  uint32_t count() const { return static_cast<uint32_t>(lowest.size()); }
};

// By Gershgorin's circles: none here has a diagonal beyond 2 or elements beside it beyond 1.
void end_matrix(Matrices& matrices) {
  matrices.begins.push_back(static_cast<uint32_t>(matrices.diagonals.size()));
  matrices.lowest.push_back(-4.0f);
  matrices.highest.push_back(4.0f);
}

void add_random(Matrices& matrices, Random& random, uint32_t order) {
  for (uint32_t i = 0; i < order; ++i) {
    matrices.diagonals.push_back(random.between(-2.0f, 2.0f));
    const float beside = random.unit();
    matrices.squares.push_back(i == 0 ? 0.0f : beside * beside);
  }
  end_matrix(matrices);
}

// Copies of Wilkinson's W21+, scaled and loosely tied to each other: their eigenvalues come in clusters that
// no precision can part.
void add_glued(Matrices& matrices, uint32_t order) {
  for (int32_t i = 0; i < static_cast<int32_t>(order); ++i) {
    matrices.diagonals.push_back(static_cast<float>(std::abs(i % 21 - 10)) * 0.2f);
    matrices.squares.push_back(i == 0 ? 0.0f : i % 21 == 0 ? 1e-9f : 0.04f);
  }
  end_matrix(matrices);
}

Matrices make_matrices(uint32_t count, int32_t smallest, int32_t largest) {
  Random random(1);
  Matrices matrices;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t order = static_cast<uint32_t>(random.between(smallest, largest));
    if (i % 3 == 2) {
      add_glued(matrices, order);
    } else {
      add_random(matrices, random, order);
    }
  }
  return matrices;
}

uint32_t count_below(const Matrices& matrices, uint32_t matrix, double x) {
  uint32_t count = 0;
  double pivot = 1;
  for (uint32_t i = matrices.begins[matrix]; i < matrices.begins[matrix + 1]; ++i) {
    pivot = matrices.diagonals[i] - x - matrices.squares[i] / pivot;
    if (std::abs(pivot) < 1e-100) pivot = -1e-100;
    if (pivot < 0) ++count;
  }
  return count;
}

std::vector<double> eigenvalues_on_cpu(const Matrices& matrices) {
  std::vector<double> eigenvalues;
  for (uint32_t matrix = 0; matrix < matrices.count(); ++matrix)
    for (uint32_t k = 0; k < matrices.begins[matrix + 1] - matrices.begins[matrix]; ++k) {
      double left = matrices.lowest[matrix], right = matrices.highest[matrix];
      while (right - left > 1e-8) {
        const double middle = (left + right) / 2;
        (count_below(matrices, matrix, middle) > k ? right : left) = middle;
      }
      eigenvalues.push_back((left + right) / 2);
    }
  return eigenvalues;
}

// Half of the last interval; and the counts in float are right for a matrix whose elements differ by a few
// roundings (Kahan 1966), three of 2^-24 in |diagonal - x| <= 6 and in twice an element of at most 1 beside it.
constexpr Tolerance kTolerance{.absolute = kPrecision / 2 + 3 * (6 + 2) * 0x1p-24 + 1e-8};

}  // namespace

Check run(Device& device, Size size) {
  const Matrices matrices =
      make_matrices(by_size(size, 3u, 20u, 105u), by_size(size, 20, 60, 100), by_size(size, 40, 120, 180));
  const Buffer<float> diagonals(device, matrices.diagonals, "diagonals"), squares(device, matrices.squares, "squares");
  const Buffer<uint32_t> begins(device, matrices.begins, "first rows");
  const Buffer<float> lowest(device, matrices.lowest, "lowest"), highest(device, matrices.highest, "highest");
  const Buffer<Interval> intervals(device, matrices.diagonals.size(), "intervals");
  const Buffer<float> eigenvalues(device, matrices.diagonals.size(), "eigenvalues");

  const LaunchShape launch{.grid = {matrices.count()}, .block = {kThreads}};
  device.launch("isolate", launch,
                Arguments(diagonals.address(), squares.address(), begins.address(), lowest.address(), highest.address(),
                          kPrecision, intervals.address()));
  device.launch("refine", launch,
                Arguments(diagonals.address(), squares.address(), begins.address(), intervals.address(), kPrecision,
                          eigenvalues.address()));
  return compare("eigenvalues", eigenvalues_on_cpu(matrices), eigenvalues.download(), kTolerance);
}

}  // namespace heddle::workloads::eigenvalues
