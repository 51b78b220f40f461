// One Jacobi step of the 3-D Laplace equation: a point becomes the mean of its six neighbours, the faces of
// the box stay. A block of 32x4 threads walks through all planes and holds three of them in shared memory, each
// with a rim of one point (after Giles' notes on the 8800 GTX). A thread has one point of the plane, and the
// first 76 have one of the rim too. Where the box is no multiple of the block, threads outside have nothing to do
// but wait.

constexpr int kWidth = 32, kHeight = 4;
constexpr int kRow = kWidth + 2, kPlane = kRow * (kHeight + 2);

struct Box {
  int nx, ny, nz;
};

// A point that a thread looks after.
struct Point {
  bool exists;
  int tile;  // where it is in the middle one of the three planes
  int box;   // where it is in the lowest plane of the box
};

// x, y: in the block, -1 and one past its end for the rim.
static __device__ Point point_at(int x, int y, const Box& box) {
  const int i = blockIdx.x * kWidth + x, j = blockIdx.y * kHeight + y;
  return {i >= 0 && i < box.nx && j >= 0 && j < box.ny, kPlane + (y + 1) * kRow + x + 1, j * box.nx + i};
}

// Two rows, then two columns with the corners.
static __device__ Point rim_point(const Box& box) {
  const int thread = threadIdx.y * kWidth + threadIdx.x;
  if (thread < 2 * kWidth) return point_at(threadIdx.x, threadIdx.y == 0 ? -1 : kHeight, box);
  if (thread < 2 * (kWidth + kHeight + 2))
    return point_at(thread % 2 == 0 ? -1 : kWidth, (thread - 2 * kWidth) / 2 - 1, box);
  return {false, 0, 0};
}

// What was the plane above becomes the middle one, and the next one is fetched.
static __device__ void move_up(float* tile, const Point& point, const float* next) {
  tile[point.tile - kPlane] = tile[point.tile];
  tile[point.tile] = tile[point.tile + kPlane];
  if (next) tile[point.tile + kPlane] = next[point.box];
}

extern "C" __global__ void laplace(const float* in, float* out, Box box) {
  __shared__ float tile[3 * kPlane];
  const Point rim = rim_point(box), own = point_at(threadIdx.x, threadIdx.y, box);
  const int i = blockIdx.x * kWidth + threadIdx.x, j = blockIdx.y * kHeight + threadIdx.y;
  if (own.exists) tile[own.tile + kPlane] = in[own.box];
  if (rim.exists) tile[rim.tile + kPlane] = in[rim.box];

#pragma unroll 1
  for (int k = 0; k < box.nz; ++k) {
    in += box.nx * box.ny;  // the plane above
    const float* next = k + 1 < box.nz ? in : nullptr;
    if (own.exists) move_up(tile, own, next);
    if (rim.exists) move_up(tile, rim, next);
    __syncthreads();
    if (own.exists) {
      const float* here = tile + own.tile;
      float value;
      if (i == 0 || i == box.nx - 1 || j == 0 || j == box.ny - 1 || k == 0 || k == box.nz - 1) {
        value = *here;
      } else {
        value = (here[-1] + here[1] + here[-kRow] + here[kRow] + here[-kPlane] + here[kPlane]) * (1.0f / 6.0f);
      }
      out[k * box.nx * box.ny + own.box] = value;
    }
    __syncthreads();
  }
}
