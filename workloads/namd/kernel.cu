// Non-bonded forces of molecular dynamics with a cut-off. Space is divided into patches a little wider than
// the cut-off; a block of 64 threads takes one patch and goes through the list of patches around it, whose
// atoms it stages in shared memory. Both atoms of a pair compute it, each in its own block.

constexpr int kThreads = 64;
constexpr int kReach = 2;  // atoms of a molecule are at most that far apart in number

struct Atom {
  float x, y, z;  // relative to the middle of its patch
  float charge;
  int number, kind;  // kinds 0 to 2: the three atoms of a molecule of water
};

struct Patch {
  int first, count;
  int first_neighbour, neighbours;
};

struct Neighbour {
  int patch;
  float x, y, z;  // its middle, seen from the middle of the patch at hand
};

struct LennardJones {
  float a, b;
};

struct Constants {
  float cutoff2, switch2;   // squared distances: beyond the first nothing acts, from the second on forces fade
  float inverse_cutoff2, inverse_width3;  // 1 / cutoff2, 1 / (cutoff2 - switch2)^3
  LennardJones lennard_jones[3][3];
  int excluded[3];  // bit d + kReach: no force on the atom with the number d further on
};

__constant__ Constants constants;

struct Sum {
  float x, y, z, energy;
};

// The force over the distance, and the energy where it is asked for.
template <bool kWithEnergy>
static __device__ float pair_force(float distance2, float charges, const LennardJones& lj, float& energy) {
  const float inverse = rsqrtf(distance2), inverse2 = inverse * inverse;
  const float inverse6 = inverse2 * inverse2 * inverse2;
  float dispersion = (lj.a * inverse6 - lj.b) * inverse6;
  float force = (12.0f * lj.a * inverse6 - 6.0f * lj.b) * inverse6 * inverse2;
  if (distance2 > constants.switch2) {
    const float inside = constants.cutoff2 - distance2, beyond = distance2 - constants.switch2;
    const float fade = inside * inside * (inside + 3.0f * beyond) * constants.inverse_width3;
    force = force * fade + 12.0f * dispersion * inside * beyond * constants.inverse_width3;
    dispersion *= fade;
  }
  const float shift = 1.0f - distance2 * constants.inverse_cutoff2;
  if (kWithEnergy) energy += dispersion + charges * inverse * shift * shift;
  return force + charges * inverse * shift * (shift * inverse2 + 4.0f * constants.inverse_cutoff2);
}

static __device__ bool excluded(const Atom& atom, int other) {
  const unsigned place = other - atom.number + kReach;
  return place <= 2 * kReach && (constants.excluded[atom.kind] >> place & 1);
}

template <bool kWithEnergy>
static __device__ void add_tile(const Atom& atom, const Atom* tile, int count, Sum& sum) {
#pragma unroll 1
  for (int j = 0; j < count; ++j) {
    const float x = atom.x - tile[j].x, y = atom.y - tile[j].y, z = atom.z - tile[j].z;
    const float distance2 = fmaf(x, x, fmaf(y, y, z * z));  // rounded as in the check: no pair may differ
    if (distance2 < constants.cutoff2) {
      if (!excluded(atom, tile[j].number)) {
        const LennardJones& lj = constants.lennard_jones[atom.kind][tile[j].kind];
        const float force = pair_force<kWithEnergy>(distance2, atom.charge * tile[j].charge, lj, sum.energy);
        sum.x += force * x;
        sum.y += force * y;
        sum.z += force * z;
      }
    }
  }
}

// The atoms of one neighbour, a tile at a time, on the thread's own atom, if it has one.
template <bool kWithEnergy>
static __device__ void add_neighbour(const Atom* atoms, const Patch& other, const Neighbour& neighbour, Atom* tile,
                                     bool active, const Atom& atom, Sum& sum) {
  for (int begin = 0; begin < other.count; begin += kThreads) {
    const int count = min(kThreads, other.count - begin);
    __syncthreads();
    if (threadIdx.x < count) {
      Atom staged = atoms[other.first + begin + threadIdx.x];
      staged.x += neighbour.x;
      staged.y += neighbour.y;
      staged.z += neighbour.z;
      tile[threadIdx.x] = staged;
    }
    __syncthreads();
    if (active) add_tile<kWithEnergy>(atom, tile, count, sum);
  }
}

template <bool kWithEnergy>
static __device__ float patch_forces(const Atom* atoms, const Patch* patches, const Neighbour* neighbours,
                                     float* forces) {
  __shared__ Atom tile[kThreads];
  const Patch patch = patches[blockIdx.x];
  float energy = 0.0f;
  for (int begin = 0; begin < patch.count; begin += kThreads) {
    const int i = patch.first + begin + threadIdx.x;
    const bool active = begin + threadIdx.x < patch.count;
    Atom atom = {};
    if (active) atom = atoms[i];
    Sum sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int n = 0; n < patch.neighbours; ++n) {
      const Neighbour neighbour = neighbours[patch.first_neighbour + n];
      add_neighbour<kWithEnergy>(atoms, patches[neighbour.patch], neighbour, tile, active, atom, sum);
    }
    if (active) {
      forces[3 * i] = sum.x;
      forces[3 * i + 1] = sum.y;
      forces[3 * i + 2] = sum.z;
      energy += sum.energy;
    }
  }
  return energy;
}

// Most steps of a simulation need the forces only …
extern "C" __global__ void nonbonded_forces(const Atom* atoms, const Patch* patches, const Neighbour* neighbours,
                                            float* forces) {
  patch_forces<false>(atoms, patches, neighbours, forces);
}

// … and some report the energy too, one sum per patch.
extern "C" __global__ void nonbonded_forces_and_energy(const Atom* atoms, const Patch* patches,
                                                       const Neighbour* neighbours, float* forces,
                                                       float* energies) {
  __shared__ float partial[kThreads];
  partial[threadIdx.x] = patch_forces<true>(atoms, patches, neighbours, forces);
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) energies[blockIdx.x] = partial[0];
}
