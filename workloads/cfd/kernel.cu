// Inviscid compressible flow (Euler equations) by finite volumes on an unstructured mesh of tetrahedra, one
// thread per element. The five conserved variables of all elements lie in five arrays, one after the other:
// variable v of element e is at v * elements + e.

constexpr int kFaces = 4, kVariables = 5;
constexpr int kWall = -1, kFarField = -2;  // in place of a neighbour's number
constexpr float kGamma = 1.4f, kSmoothing = 0.2f;

struct Vector {
  float x, y, z;
};

struct State {
  float density;
  Vector momentum;
  float energy;
};

// What fluxes need of a state besides itself.
struct Motion {
  Vector velocity;
  float pressure, fastest;  // speed of the flow plus that of sound
};

__constant__ State far_field;

static __device__ float dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static __device__ State load(const float* variables, int element, int elements) {
  const float* at = variables + element;
  return {at[0], {at[elements], at[2 * elements], at[3 * elements]}, at[4 * elements]};
}

static __device__ void store(float* variables, int element, int elements, const State& state) {
  float* at = variables + element;
  at[0] = state.density;
  at[elements] = state.momentum.x;
  at[2 * elements] = state.momentum.y;
  at[3 * elements] = state.momentum.z;
  at[4 * elements] = state.energy;
}

static __device__ Motion motion_of(const State& state) {
  const float per_density = 1.0f / state.density;
  const Vector velocity = {state.momentum.x * per_density, state.momentum.y * per_density,
                           state.momentum.z * per_density};
  const float speed_squared = dot(velocity, velocity);
  const float pressure = (kGamma - 1.0f) * (state.energy - 0.5f * state.density * speed_squared);
  return {velocity, pressure, sqrtf(speed_squared) + sqrtf(kGamma * pressure * per_density)};
}

// Takes `share` of what flows out through a face from the balance of the element.
static __device__ void take_flow(State& balance, const State& state, const Motion& motion, const Vector& normal,
                                 float share) {
  const float volume = share * dot(motion.velocity, normal), push = share * motion.pressure;
  balance.density -= state.density * volume;
  balance.momentum.x -= state.momentum.x * volume + push * normal.x;
  balance.momentum.y -= state.momentum.y * volume + push * normal.y;
  balance.momentum.z -= state.momentum.z * volume + push * normal.z;
  balance.energy -= (state.energy + motion.pressure) * volume;
}

static __device__ void take_difference(State& balance, const State& here, const State& there, float factor) {
  balance.density -= factor * (here.density - there.density);
  balance.momentum.x -= factor * (here.momentum.x - there.momentum.x);
  balance.momentum.y -= factor * (here.momentum.y - there.momentum.y);
  balance.momentum.z -= factor * (here.momentum.z - there.momentum.z);
  balance.energy -= factor * (here.energy - there.energy);
}

// The far field, its density and energy disturbed.
extern "C" __global__ void initialise(float* variables, const float* disturbance, int elements) {
  const int element = blockIdx.x * blockDim.x + threadIdx.x;
  if (element >= elements) return;
  State state = far_field;
  state.density *= disturbance[element];
  state.energy *= disturbance[element];
  store(variables, element, elements, state);
}

// Every element takes the longest time step that is stable for it alone; here it is divided by the volume.
extern "C" __global__ void find_steps(const float* variables, const float* surfaces, float* steps, int elements) {
  const int element = blockIdx.x * blockDim.x + threadIdx.x;
  if (element >= elements) return;
  const Motion motion = motion_of(load(variables, element, elements));
  steps[element] = 0.5f / (surfaces[element] * motion.fastest);
}

// What each element gains per unit of time. A face lies between two elements, on the wall or on the far
// field; which, is a matter of the mesh, and threads of a warp differ in it near the boundaries.
extern "C" __global__ void sum_fluxes(const int* neighbours, const float* normals, const float* variables,
                                      float* balances, int elements) {
  const int element = blockIdx.x * blockDim.x + threadIdx.x;
  if (element >= elements) return;
  const State here = load(variables, element, elements);
  const Motion motion = motion_of(here);
  State balance = {0.0f, {0.0f, 0.0f, 0.0f}, 0.0f};
#pragma unroll
  for (int face = 0; face < kFaces; ++face) {
    const int neighbour = neighbours[face * elements + element];
    const float* at = normals + face * 3 * elements + element;
    const Vector normal = {at[0], at[elements], at[2 * elements]};
    if (neighbour >= 0) {
      const State there = load(variables, neighbour, elements);
      const Motion motion_there = motion_of(there);
      const float area = sqrtf(dot(normal, normal));
      take_difference(balance, here, there, kSmoothing * 0.5f * area * (motion.fastest + motion_there.fastest));
      take_flow(balance, here, motion, normal, 0.5f);
      take_flow(balance, there, motion_there, normal, 0.5f);
    } else if (neighbour == kWall) {  // nothing flows through, there is only pressure
      balance.momentum.x -= normal.x * motion.pressure;
      balance.momentum.y -= normal.y * motion.pressure;
      balance.momentum.z -= normal.z * motion.pressure;
    } else if (neighbour == kFarField) {
      take_flow(balance, here, motion, normal, 0.5f);
      take_flow(balance, far_field, motion_of(far_field), normal, 0.5f);
    }
  }
  store(balances, element, elements, balance);
}

// One stage of the Runge-Kutta scheme: from where the step began, for a part of the time step.
extern "C" __global__ void advance(const float* before, const float* balances, const float* steps, float* variables,
                                   float part, int elements) {
  const int element = blockIdx.x * blockDim.x + threadIdx.x;
  if (element >= elements) return;
  const float step = part * steps[element];
  for (int variable = 0; variable < kVariables; ++variable) {
    const int index = variable * elements + element;
    variables[index] = before[index] + step * balances[index];
  }
}
