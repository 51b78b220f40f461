#include <algorithm>
#include <cmath>
#include <span>

#include "workloads/support.h"

namespace heddle::workloads::cp {

namespace {

constexpr uint32_t kWidth = 16, kHeight = 8, kPoints = 2;  // a block, and the points of a thread
constexpr float kSpacing = 0.125f;                         // a power of two: the points' places are exact

struct Atom {  // as in kernel.cu
  float x, y, z2, charge;
};

struct Grid {
  uint32_t blocks_x, blocks_y;
  uint32_t width() const { return blocks_x * kWidth * kPoints; }
  uint32_t height() const { return blocks_y * kHeight; }
};

// At least one unit from the plane, so that no point comes too near to a charge. Places are multiples of
// 1/1024: differences of places are exact then.
std::vector<Atom> random_atoms(const Grid& grid, uint32_t count) {
  Random random(1);
  auto place = [&](uint32_t points) {
    return static_cast<float>(random.below(static_cast<uint32_t>(kSpacing * 1024) * points)) / 1024;
  };
  std::vector<Atom> atoms(count);
  for (Atom& atom : atoms) {
    atom.x = place(grid.width());
    atom.y = place(grid.height());
    const float z = random.between(1.0f, 4.0f);
    atom.z2 = z * z;
    atom.charge = random.between(-1.0f, 1.0f);
  }
  return atoms;
}

struct Potential {
  std::vector<double> values;
  double largest_size = 0;  // of a point: the sum of the sizes of all terms
};

Potential potential_on_cpu(const Grid& grid, const std::vector<Atom>& atoms) {
  Potential potential;
  for (uint32_t row = 0; row < grid.height(); ++row)
    for (uint32_t column = 0; column < grid.width(); ++column) {
      const double x = double{kSpacing} * column, y = double{kSpacing} * row;
      double sum = 0, size = 0;
      for (const Atom& atom : atoms) {
        const double dx = x - atom.x, dy = y - atom.y;
        const double term = atom.charge / std::sqrt(dx * dx + (dy * dy + atom.z2));
        sum += term;
        size += std::abs(term);
      }
      potential.values.push_back(sum);
      potential.largest_size = std::max(potential.largest_size, size);
    }
  return potential;
}

// On its way a term is rounded three times below the root, which halves that, twice by rsqrt and once by the
// product, and then once with each sum it is part of.
Check check_potential(const Potential& expected, const std::vector<float>& got, size_t atoms) {
  const double roundings = static_cast<double>(atoms) + 6;
  return compare("potential", expected.values, got, {.absolute = roundings * expected.largest_size * 0x1p-24});
}

}  // namespace

Check run(Device& device, Size size) {
  const Grid grid = by_size<Grid>(size, {3, 2}, {8, 20}, {8, 32});
  const std::vector<Atom> all_atoms = random_atoms(grid, by_size(size, 60u, 150u, 200u));
  const uint32_t batch_size = by_size(size, 40u, 100u, 200u);
  Buffer<float> potential(device, size_t{grid.width()} * grid.height(), "potential");
  for (size_t first = 0; first < all_atoms.size(); first += batch_size) {
    const auto batch = std::span(all_atoms).subspan(first, std::min<size_t>(batch_size, all_atoms.size() - first));
    device.write(device.symbol("atoms"), batch.data(), batch.size_bytes());
    device.launch("add_potential", {.grid = {grid.blocks_x, grid.blocks_y}, .block = {kWidth, kHeight}},
                  Arguments(potential.address(), grid.width(), kSpacing, static_cast<int32_t>(batch.size())));
  }
  return check_potential(potential_on_cpu(grid, all_atoms), potential.download(), all_atoms.size());
}

}  // namespace heddle::workloads::cp
