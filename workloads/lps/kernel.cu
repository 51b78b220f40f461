// One Jacobi step of the 3-D Laplace equation: a point becomes the mean of its six neighbours, the faces of
// the box stay. A block of 32x4 threads walks through all planes; the plane at hand lies in shared memory
// with a rim of one point, the planes below and above in registers. Where the box is no multiple of the
// block, threads outside have nothing to do but wait.

constexpr int kWidth = 32, kHeight = 4;

struct Box {
  int nx, ny, nz;
};

typedef float Tile[kHeight + 2][kWidth + 2];

// The first 72 threads of the block fetch the rim: two rows, then two columns.
static __device__ void load_rim(Tile tile, const float* plane, const Box& box) {
  const int thread = threadIdx.y * kWidth + threadIdx.x;
  int x, y;  // in the tile
  if (thread < 2 * kWidth) {
    x = 1 + thread % kWidth;
    y = thread < kWidth ? 0 : kHeight + 1;
  } else if (thread < 2 * kWidth + 2 * kHeight) {
    x = (thread - 2 * kWidth) % 2 == 0 ? 0 : kWidth + 1;
    y = 1 + (thread - 2 * kWidth) / 2;
  } else {
    return;
  }
  const int i = blockIdx.x * kWidth + x - 1, j = blockIdx.y * kHeight + y - 1;
  if (i >= 0 && i < box.nx && j >= 0 && j < box.ny) tile[y][x] = plane[j * box.nx + i];
}

extern "C" __global__ void laplace(const float* in, float* out, Box box) {
  __shared__ Tile tile;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int i = blockIdx.x * kWidth + threadIdx.x, j = blockIdx.y * kHeight + threadIdx.y;
  const bool active = i < box.nx && j < box.ny;
  const bool on_side = i == 0 || i == box.nx - 1 || j == 0 || j == box.ny - 1;
  const int plane_points = box.nx * box.ny;
  int index = j * box.nx + i;

  float below = 0.0f, here = 0.0f, above = 0.0f;
  if (active) here = in[index];
  for (int k = 0; k < box.nz; ++k) {
    if (active) {
      tile[ty][tx] = here;
      if (k + 1 < box.nz) above = in[index + plane_points];
    }
    load_rim(tile, in + k * plane_points, box);
    __syncthreads();
    if (active) {
      float value = here;
      if (!on_side && k > 0 && k + 1 < box.nz) {
        value = (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + below + above) *
                (1.0f / 6.0f);
      }
      out[index] = value;
    }
    __syncthreads();
    below = here;
    here = above;
    index += plane_points;
  }
}
