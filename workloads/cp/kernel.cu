// Coulomb potential of point charges on one plane of a grid, by direct summation. A thread has two points,
// 16 apart along x, so that the distance in y and z is computed once for both and neighbouring threads store
// to neighbouring places. The charges come in batches through constant memory; the host launches once for
// each batch.

constexpr int kPoints = 2, kWidth = 16, kMostAtoms = 1000;

struct Atom {
  float x, y, z2, charge;  // z2: squared distance from the plane
};

__constant__ Atom atoms[kMostAtoms];

// The grid is padded to whole blocks, so no thread has to ask whether it is inside.
extern "C" __global__ void add_potential(float* potential, int pitch, float spacing, int atom_count) {
  const int column = blockIdx.x * (kWidth * kPoints) + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const float x = spacing * (float)column, y = spacing * (float)row, step = spacing * (float)kWidth;
  float sums[kPoints] = {};
#pragma unroll 1
  for (int i = 0; i < atom_count; ++i) {
    const Atom atom = atoms[i];
    const float dy = y - atom.y, across2 = dy * dy + atom.z2;
    float dx = x - atom.x;
#pragma unroll
    for (int point = 0; point < kPoints; ++point) {
      sums[point] += atom.charge * rsqrtf(dx * dx + across2);
      dx += step;
    }
  }
  float* out = potential + row * pitch + column;
#pragma unroll
  for (int point = 0; point < kPoints; ++point) out[point * kWidth] += sums[point];
}
