// Maxwell's equations by the nodal discontinuous Galerkin method (Hesthaven, Warburton 2008) on tetrahedra of
// order 6: 84 nodes in an element, 28 on each of its four faces. Each stage of a time step is three kernels,
// and the shapes of their blocks are what the method gives: 84, 4 x 28 = 112, and 256 for the update.

constexpr int kNodes = 84, kFaces = 4, kFaceNodes = 28, kAllFaceNodes = kFaces * kFaceNodes;
constexpr int kFields = 6;  // the magnetic field x, y, z, then the electric one

struct alignas(16) Vector {
  float r, s, t, unused;
};

struct alignas(16) Face {
  float x, y, z;  // outward normal
  float scale;    // surface over volume, relative to the reference element
};

struct FaceNode {
  int mine;    // node of the element
  int theirs;  // the same point in the fields of the neighbour, -1 on the boundary
};

static __device__ float dot(const Vector& a, float r, float s, float t) { return a.r * r + a.s * s + a.t * t; }

// -curl E and curl H inside one element per block: three derivative matrices, stored by column, times six
// fields in shared memory.
extern "C" __global__ void volume(const float* fields, const Vector* derivative, const Vector* gradients,
                                  float* change) {
  __shared__ float field[kFields][kNodes];
  const int node = threadIdx.x, first = blockIdx.x * kFields * kNodes;
  for (int f = 0; f < kFields; ++f) field[f][node] = fields[first + f * kNodes + node];
  __syncthreads();
  float along_r[kFields] = {}, along_s[kFields] = {}, along_t[kFields] = {};
#pragma unroll 1
  for (int other = 0; other < kNodes; ++other) {
    const Vector d = derivative[other * kNodes + node];
    for (int f = 0; f < kFields; ++f) {
      const float value = field[f][other];
      along_r[f] += d.r * value;
      along_s[f] += d.s * value;
      along_t[f] += d.t * value;
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    // The curl along an axis: the field of the axis after the next by the next, less the other way round.
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    const Vector by_next = gradients[3 * blockIdx.x + next], by_last = gradients[3 * blockIdx.x + last];
    const float curl_h = dot(by_next, along_r[last], along_s[last], along_t[last]) -
                         dot(by_last, along_r[next], along_s[next], along_t[next]);
    const float curl_e = dot(by_next, along_r[3 + last], along_s[3 + last], along_t[3 + last]) -
                         dot(by_last, along_r[3 + next], along_s[3 + next], along_t[3 + next]);
    change[first + axis * kNodes + node] = -curl_e;
    change[first + (3 + axis) * kNodes + node] = curl_h;
  }
}

// How much the fields jump across a face. The walls of the box conduct perfectly: there the magnetic field goes
// on, and the electric one is mirrored.
static __device__ void find_jumps(const float* fields, int first, const FaceNode& point, float* jumps) {
  if (point.theirs >= 0) {
    for (int f = 0; f < kFields; ++f)
      jumps[f] = fields[point.theirs + f * kNodes] - fields[first + f * kNodes + point.mine];
  } else {
    for (int f = 0; f < 3; ++f) {
      jumps[f] = 0.0f;
      jumps[3 + f] = -2.0f * fields[first + (3 + f) * kNodes + point.mine];
    }
  }
}

static __device__ void upwind_fluxes(const Face& face, const float* jumps, float (*fluxes)[kAllFaceNodes]) {
  const float normal[3] = {face.x, face.y, face.z}, half = 0.5f * face.scale;
  const float across_h = face.x * jumps[0] + face.y * jumps[1] + face.z * jumps[2];
  const float across_e = face.x * jumps[3] + face.y * jumps[4] + face.z * jumps[5];
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    const float turn_e = normal[next] * jumps[3 + last] - normal[last] * jumps[3 + next];
    const float turn_h = normal[next] * jumps[last] - normal[last] * jumps[next];
    fluxes[axis][threadIdx.x] = half * (jumps[axis] - across_h * normal[axis] - turn_e);
    fluxes[3 + axis][threadIdx.x] = half * (jumps[3 + axis] - across_e * normal[axis] + turn_h);
  }
}

// What the jumps across the faces add. A thread per face node gathers both sides and computes the flux; then
// the first 84 threads, one per node, lift all fluxes into the element.
extern "C" __global__ void surface(const float* fields, const FaceNode* face_nodes, const Face* faces,
                                   const float* lift, float* change) {
  __shared__ float fluxes[kFields][kAllFaceNodes];
  const int thread = threadIdx.x, first = blockIdx.x * kFields * kNodes;
  float jumps[kFields];
  find_jumps(fields, first, face_nodes[blockIdx.x * kAllFaceNodes + thread], jumps);
  upwind_fluxes(faces[blockIdx.x * kFaces + thread / kFaceNodes], jumps, fluxes);
  __syncthreads();
  if (thread < kNodes) {
    float sums[kFields] = {};
#pragma unroll 1
    for (int other = 0; other < kAllFaceNodes; ++other) {
      const float weight = lift[other * kNodes + thread];
      for (int f = 0; f < kFields; ++f) sums[f] += weight * fluxes[f][other];
    }
    for (int f = 0; f < kFields; ++f) change[first + f * kNodes + thread] += sums[f];
  }
}

// A stage of the low-storage Runge-Kutta method.
extern "C" __global__ void update(float* fields, float* residual, const float* change, float keep, float weight,
                                  float time_step, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float next = keep * residual[i] + time_step * change[i];
  residual[i] = next;
  fields[i] += weight * next;
}
