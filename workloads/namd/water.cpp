#include "workloads/namd/water.h"

#include <array>
#include <cmath>

namespace heddle::workloads::namd {

namespace {

constexpr float kSpacing = 3.1f;  // of molecules at the density of water

// Charges of the TIP3P model, scaled so that their product is an energy in kcal/mol at one Ångström.
constexpr std::array<float, 3> kCharges = {-0.834f * 18.222f, 0.417f * 18.222f, 0.417f * 18.222f};

// A bond of about one Ångström into a random direction.
std::array<float, 3> random_bond(Random& random) {
  for (;;) {
    std::array<float, 3> bond;
    float square = 0;
    for (float& component : bond) {
      component = random.between(-1.0f, 1.0f);
      square = std::fma(component, component, square);
    }
    if (square > 0.8f && square < 1.0f) return bond;
  }
}

// Molecules on a jittered lattice; each goes to the patch that its oxygen is in.
class WaterBuilder {
 public:
  explicit WaterBuilder(const Shape& shape) : shape_(shape), members_(size_t{shape.x} * shape.y * shape.z) {
    std::array<uint32_t, 3> sites;
    for (int axis = 0; axis < 3; ++axis) sites[axis] = static_cast<uint32_t>(width(axis) / kSpacing);
    for (uint32_t z = 0; z < sites[2]; ++z)
      for (uint32_t y = 0; y < sites[1]; ++y)
        for (uint32_t x = 0; x < sites[0]; ++x) add_molecule({x, y, z}, sites);
  }

  Box build() const {
    Box box;
    for (uint32_t patch = 0; patch < members_.size(); ++patch) {
      const auto first = static_cast<int32_t>(box.atoms.size());
      const auto first_neighbour = static_cast<int32_t>(box.neighbours.size());
      box.atoms.insert(box.atoms.end(), members_[patch].begin(), members_[patch].end());
      add_neighbours(patch, box.neighbours);
      box.patches.push_back({first, static_cast<int32_t>(members_[patch].size()), first_neighbour,
                             static_cast<int32_t>(box.neighbours.size()) - first_neighbour});
    }
    return box;
  }

 private:
  int32_t patches(int axis) const {
    return static_cast<int32_t>(axis == 0 ? shape_.x : axis == 1 ? shape_.y : shape_.z);
  }
  float width(int axis) const { return static_cast<float>(patches(axis)) * kPatchWidth; }
  uint32_t patch_at(const std::array<int32_t, 3>& place) const {
    return static_cast<uint32_t>((place[2] * patches(1) + place[1]) * patches(0) + place[0]);
  }

  void add_molecule(const std::array<uint32_t, 3>& site, const std::array<uint32_t, 3>& sites) {
    std::array<float, 3> oxygen;  // relative to the middle of its patch
    std::array<int32_t, 3> place;
    for (int axis = 0; axis < 3; ++axis) {
      const float position = (static_cast<float>(site[axis]) + random_.between(0.4f, 0.6f)) * width(axis) /
                             static_cast<float>(sites[axis]);
      place[axis] = static_cast<int32_t>(position / kPatchWidth);
      oxygen[axis] = position - (static_cast<float>(place[axis]) + 0.5f) * kPatchWidth;
    }
    std::vector<Atom>& patch = members_[patch_at(place)];
    patch.push_back({oxygen[0], oxygen[1], oxygen[2], kCharges[0], number_++, 0});
    for (int32_t kind = 1; kind <= 2; ++kind) {
      const std::array<float, 3> bond = random_bond(random_);
      patch.push_back({oxygen[0] + bond[0], oxygen[1] + bond[1], oxygen[2] + bond[2], kCharges[kind], number_++, kind});
    }
  }

  void add_neighbours(uint32_t patch, std::vector<Neighbour>& neighbours) const {
    const auto index = static_cast<int32_t>(patch);
    const std::array<int32_t, 3> here = {index % patches(0), index / patches(0) % patches(1),
                                         index / patches(0) / patches(1)};
    for (int32_t z = -1; z <= 1; ++z)
      for (int32_t y = -1; y <= 1; ++y)
        for (int32_t x = -1; x <= 1; ++x) {
          const std::array<int32_t, 3> step = {x, y, z};
          std::array<int32_t, 3> there;
          bool exists = true;
          for (int axis = 0; axis < 3; ++axis) {
            const int32_t place = here[axis] + step[axis];
            there[axis] = (place + patches(axis)) % patches(axis);
            exists &= shape_.periodic || there[axis] == place;
          }
          if (exists)
            neighbours.push_back({static_cast<int32_t>(patch_at(there)), static_cast<float>(x) * kPatchWidth,
                                  static_cast<float>(y) * kPatchWidth, static_cast<float>(z) * kPatchWidth});
        }
  }

  Shape shape_;
  Random random_{1};
  int32_t number_ = 0;
  std::vector<std::vector<Atom>> members_;  // of each patch
};

}  // namespace

// Hydrogen has a little Lennard-Jones of its own, so that no two can fall into each other.
Constants water_constants() {
  Constants constants{};
  constants.cutoff2 = kCutoff * kCutoff;
  constants.switch2 = kSwitch * kSwitch;
  constants.inverse_cutoff2 = 1 / constants.cutoff2;
  const float width = constants.cutoff2 - constants.switch2;
  constants.inverse_width3 = 1 / (width * width * width);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const bool oxygens = i == 0 && j == 0, hydrogens = i > 0 && j > 0;
      constants.lennard_jones[i][j] = oxygens     ? LennardJones{582'000, 595}
                                      : hydrogens ? LennardJones{0.01f, 0.1f}
                                                  : LennardJones{200, 6};
    }
  for (int32_t kind = 0; kind < 3; ++kind) constants.excluded[kind] = 0b111 << (kReach - kind);
  return constants;
}

Box water_box(const Shape& shape) { return WaterBuilder(shape).build(); }

}  // namespace heddle::workloads::namd
