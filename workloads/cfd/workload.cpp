#include <algorithm>
#include <array>
#include <cmath>

#include "workloads/cfd/mesh.h"

namespace heddle::workloads::cfd {

namespace {

using cfd::Mesh;

constexpr uint32_t kBlock = 192, kVariables = 5, kStages = 3;
constexpr double kGamma = 1.4f, kSmoothing = 0.2f;
using State = std::array<double, kVariables>;
using Vector = std::array<double, 3>;

// Density, momentum, energy of a flow at Mach 1.2 along x; pressure and speed of sound are 1.
constexpr std::array<float, kVariables> kFarFlow = {1.4f, 1.68f, 0.0f, 0.0f, 3.508f};

std::vector<float> disturbances(uint32_t elements) {
  Random random(2);
  std::vector<float> values(elements);
  for (float& value : values) value = random.between(0.95f, 1.05f);
  return values;
}

struct Motion {
  Vector velocity;
  double pressure, fastest;
};

Motion motion_of(const State& state) {
  Motion motion{{state[1] / state[0], state[2] / state[0], state[3] / state[0]}, 0, 0};
  double speed_squared = 0;
  for (double component : motion.velocity) speed_squared += component * component;
  motion.pressure = (kGamma - 1) * (state[4] - 0.5 * state[0] * speed_squared);
  motion.fastest = std::sqrt(speed_squared) + std::sqrt(kGamma * motion.pressure / state[0]);
  return motion;
}

// What flows out through the face per unit of time.
State flow(const State& state, const Motion& motion, const Vector& normal) {
  double volume = 0;
  for (size_t axis = 0; axis < 3; ++axis) volume += motion.velocity[axis] * normal[axis];
  State out;
  for (size_t variable = 0; variable < kVariables; ++variable) out[variable] = state[variable] * volume;
  for (size_t axis = 0; axis < 3; ++axis) out[1 + axis] += motion.pressure * normal[axis];
  out[4] += motion.pressure * volume;
  return out;
}

State flow_between(const State& here, const State& there, const Vector& normal, double smoothing) {
  const Motion motion = motion_of(here), motion_there = motion_of(there);
  const State out = flow(here, motion, normal), back = flow(there, motion_there, normal);
  const double area = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  const double mixing = smoothing * 0.5 * area * (motion.fastest + motion_there.fastest);
  State sum;
  for (size_t i = 0; i < kVariables; ++i) sum[i] = 0.5 * (out[i] + back[i]) + mixing * (here[i] - there[i]);
  return sum;
}

class Solver {
 public:
  Solver(const Mesh& mesh, const std::vector<float>& disturbance) : mesh_(&mesh), states_(mesh.elements) {
    std::ranges::copy(kFarFlow, far_field_.begin());
    for (uint32_t element = 0; element < mesh.elements; ++element) {
      states_[element] = far_field_;
      states_[element][0] *= disturbance[element];
      states_[element][4] *= disturbance[element];
    }
  }

  void step() {
    const std::vector<State> before = states_;
    for (uint32_t stage = 0; stage < kStages; ++stage) {
      std::vector<State> after = before;
      for (uint32_t element = 0; element < mesh_->elements; ++element) {
        const double step =
            0.5 / (mesh_->surfaces[element] * motion_of(before[element]).fastest) / double(kStages - stage);
        const State loss = outflow(element);
        for (size_t i = 0; i < kVariables; ++i) after[element][i] -= step * loss[i];
      }
      states_ = std::move(after);
    }
  }

  std::vector<double> variables() const {
    std::vector<double> values;
    for (size_t variable = 0; variable < kVariables; ++variable)
      for (const State& state : states_) values.push_back(state[variable]);
    return values;
  }

 private:
  State outflow(uint32_t element) const {
    const State& here = states_[element];
    State sum{};
    for (uint32_t face = 0; face < cfd::kFaces; ++face) {
      const int32_t neighbour = mesh_->neighbours[face * mesh_->elements + element];
      Vector normal;
      for (uint32_t axis = 0; axis < 3; ++axis)
        normal[axis] = mesh_->normals[(3 * face + axis) * mesh_->elements + element];
      State part{};
      if (neighbour >= 0) {
        part = flow_between(here, states_[neighbour], normal, kSmoothing);
      } else if (neighbour == kFarField) {
        part = flow_between(here, far_field_, normal, 0);
      } else {
        const double pressure = motion_of(here).pressure;
        for (size_t axis = 0; axis < 3; ++axis) part[1 + axis] = pressure * normal[axis];
      }
      for (size_t i = 0; i < kVariables; ++i) sum[i] += part[i];
    }
    return sum;
  }

  const Mesh* mesh_;
  State far_field_;
  std::vector<State> states_;
};

// A stage adds to a variable the flows through four faces, together about 2 in size as the time step is half
// of what crosses the element, each off by some 20 roundings of 2^-24: 40 roundings. An error of the states
// comes back at most as large through a full time step; over the stages of 1/3, 1/2 and 1 it becomes
// 1 + (1 + (1 + 1/3) / 2) < 2.7 times as large and 2.5 times the stage's own joins it. Three steps:
// 2.5 (1 + 2.7 + 2.7^2) < 28.
constexpr Tolerance kTolerance{.absolute = 28 * 40 * 0x1p-24};

}  // namespace

Check run(Device& device, Size size) {
  const Mesh mesh = cfd::mesh_around_body(by_size(size, 5, 11, 25));
  const uint32_t elements = mesh.elements, steps = by_size(size, 1u, 3u, 3u);
  const std::vector<float> disturbance = disturbances(elements);
  const Buffer<int32_t> neighbours(device, mesh.neighbours, "neighbours");
  const Buffer<float> normals(device, mesh.normals, "normals"), surfaces(device, mesh.surfaces, "surfaces");
  const Buffer<float> disturbed(device, disturbance, "disturbance"), time_steps(device, elements, "time steps");
  const Buffer<float> variables(device, kVariables * elements, "variables");
  const Buffer<float> balances(device, kVariables * elements, "balances");
  Buffer<float> before(device, kVariables * elements, "variables before the step");
  device.write(device.symbol("far_field"), kFarFlow.data(), sizeof kFarFlow);

  const LaunchShape launch{.grid = {ceil_div(elements, kBlock)}, .block = {kBlock}};
  device.launch("initialise", launch, Arguments(variables.address(), disturbed.address(), elements));
  Solver solver(mesh, disturbance);
  for (uint32_t step = 0; step < steps; ++step) {
    before.upload(variables.download());
    device.launch("find_steps", launch,
                  Arguments(variables.address(), surfaces.address(), time_steps.address(), elements));
    for (uint32_t stage = 0; stage < kStages; ++stage) {
      device.launch(
          "sum_fluxes", launch,
          Arguments(neighbours.address(), normals.address(), variables.address(), balances.address(), elements));
      device.launch("advance", launch,
                    Arguments(before.address(), balances.address(), time_steps.address(), variables.address(),
                              1.0f / static_cast<float>(kStages - stage), elements));
    }
    solver.step();
  }
  return compare("variables", solver.variables(), variables.download(), kTolerance);
}

}  // namespace heddle::workloads::cfd
