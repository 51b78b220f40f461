#include <algorithm>
#include <cmath>

#include "workloads/namd/sums.h"
#include "workloads/namd/water.h"

namespace heddle::workloads::namd {

namespace {

struct Pair {
  double force, force_size, energy, energy_size;  // the force over the distance
};

Pair pair_on_cpu(const Constants& constants, float distance2, double charges, const LennardJones& lj) {
  const double r2 = distance2, inverse = 1 / std::sqrt(r2), inverse2 = 1 / r2,
               inverse6 = inverse2 * inverse2 * inverse2;
  double dispersion = (lj.a * inverse6 - lj.b) * inverse6;
  double force = (12 * lj.a * inverse6 - 6.0 * lj.b) * inverse6 * inverse2;
  const double dispersion_size = (lj.a * inverse6 + lj.b) * inverse6;
  const double cutoff2 = constants.cutoff2, switch2 = constants.switch2, width = cutoff2 - switch2;
  if (distance2 > constants.switch2) {
    const double inside = cutoff2 - r2, beyond = r2 - switch2, width3 = width * width * width;
    force = force * inside * inside * (inside + 3 * beyond) / width3 + 12 * dispersion * inside * beyond / width3;
    dispersion *= inside * inside * (inside + 3 * beyond) / width3;
  }
  // Where forces fade, differences of squared distances are rounded in proportion to the distance itself.
  const double steepest = 12 * dispersion_size * (inverse2 + 1 / width);
  const double shift = 1 - r2 / cutoff2;
  return {force + charges * inverse * shift * (shift * inverse2 + 4 / cutoff2),
          steepest * cutoff2 / width + std::abs(charges) * inverse * (inverse2 + 4 / cutoff2),
          dispersion + charges * inverse * shift * shift,
          dispersion_size * cutoff2 / width + std::abs(charges) * inverse};
}

struct Expected {
  Sums forces, energies;
  uint32_t most_pairs = 0;  // of one atom
};

class CpuForces {
 public:
  CpuForces(const Box& box, const Constants& constants)
      : box_(box), constants_(constants), expected_{Sums(3 * box.atoms.size()), Sums(box.patches.size())} {
    for (size_t patch = 0; patch < box.patches.size(); ++patch)
      for (int32_t i = 0; i < box.patches[patch].count; ++i)
        add_atom(patch, static_cast<size_t>(box.patches[patch].first + i));
  }
  const Expected& expected() const { return expected_; }

 private:
  void add_atom(size_t patch, size_t i) {
    uint32_t pairs = 0;
    for (int32_t n = 0; n < box_.patches[patch].neighbours; ++n) {
      const Neighbour& neighbour = box_.neighbours[box_.patches[patch].first_neighbour + n];
      const Patch& other = box_.patches[neighbour.patch];
      for (int32_t j = 0; j < other.count; ++j)
        pairs += add_pair(patch, i, box_.atoms[other.first + j], neighbour) ? 1 : 0;
    }
    expected_.most_pairs = std::max(expected_.most_pairs, pairs);
  }

  // The distance is rounded where the kernel rounds it, so that both agree on what is within the cut-off.
  bool add_pair(size_t patch, size_t i, const Atom& other, const Neighbour& neighbour) {
    const Atom& atom = box_.atoms[i];
    const float distance[3] = {atom.x - (other.x + neighbour.x), atom.y - (other.y + neighbour.y),
                               atom.z - (other.z + neighbour.z)};
    const float distance2 =
        std::fma(distance[0], distance[0], std::fma(distance[1], distance[1], distance[2] * distance[2]));
    const bool same_molecule = atom.number / 3 == other.number / 3;
    if (!(distance2 < constants_.cutoff2) || same_molecule) return false;
    const Pair pair = pair_on_cpu(constants_, distance2, double{atom.charge} * other.charge,
                                  constants_.lennard_jones[atom.kind][other.kind]);
    for (size_t axis = 0; axis < 3; ++axis)
      expected_.forces.add(3 * i + axis, pair.force * distance[axis], pair.force_size * distance[axis]);
    expected_.energies.add(patch, pair.energy, pair.energy_size);
    return true;
  }

  const Box& box_;
  const Constants& constants_;
  Expected expected_;
};

// A term is rounded some fifty times on its way, rsqrt counted as four and the tree of the block included,
// and once with each sum it is in: one per pair of the atom.
uint32_t roundings(const Expected& expected) { return expected.most_pairs + 50; }

// Moves every atom along the force on it, a hundredth of an Ångström at most.
void move(std::vector<Atom>& atoms, const std::vector<float>& forces) {
  auto step = [](float force) { return 0.01f * force / (1 + std::abs(force)); };
  for (size_t i = 0; i < atoms.size(); ++i) {
    atoms[i].x += step(forces[3 * i]);
    atoms[i].y += step(forces[3 * i + 1]);
    atoms[i].z += step(forces[3 * i + 2]);
  }
}

}  // namespace

// One step with forces only, then, after the host has moved the atoms, one with the energy too. At size paper a
// launch has 424 blocks, which fill 30 cores of seven blocks twice: a rod of water, as so many in a cube have half as
// many neighbours again to look at.
Check run(Device& device, Size size) {
  Box box = water_box(by_size<Shape>(size, {2, 1, 1, false}, {3, 3, 3, true}, {53, 4, 2, false}));
  const Constants constants = water_constants();
  device.write(device.symbol("constants"), &constants, sizeof constants);
  Buffer<Atom> atoms(device, box.atoms, "atoms");
  Buffer<Patch> patches(device, box.patches, "patches");
  Buffer<Neighbour> neighbours(device, box.neighbours, "neighbours");
  Buffer<float> forces(device, 3 * box.atoms.size(), "forces"), energies(device, box.patches.size(), "energies");
  const LaunchShape launch{.grid = {static_cast<uint32_t>(box.patches.size())}, .block = {64}};

  device.launch("nonbonded_forces", launch,
                Arguments(atoms.address(), patches.address(), neighbours.address(), forces.address()));
  const std::vector<float> first_forces = forces.download();
  const Expected first = CpuForces(box, constants).expected();
  move(box.atoms, first_forces);
  atoms.upload(box.atoms);
  device.launch(
      "nonbonded_forces_and_energy", launch,
      Arguments(atoms.address(), patches.address(), neighbours.address(), forces.address(), energies.address()));
  const Expected second = CpuForces(box, constants).expected();
  return all_of({compare_sums("first forces", first.forces, first_forces, roundings(first)),
                 compare_sums("second forces", second.forces, forces.download(), roundings(second)),
                 compare_sums("energies", second.energies, energies.download(), roundings(second))});
}

}  // namespace heddle::workloads::namd
