// One time step of the acoustic wave equation, of eighth order in space and second in time. A block of 16x16
// threads walks along z; the plane at hand lies in shared memory with a rim of four points, nine points along
// z in registers. The volume is a multiple of the block, and carries a margin of four points on all sides.

constexpr int kRadius = 4, kTile = 16, kColumn = 2 * kRadius + 1;

typedef float Tile[kTile + 2 * kRadius][kTile + 2 * kRadius];

__constant__ float weights[kRadius + 1];

// Half of a warp, or none of it, has ty < kRadius; tx < kRadius are four lanes of every half warp.
static __device__ void load_plane(Tile tile, const float* here, float current, int row_stride) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  if (ty < kRadius) {
    tile[ty][tx + kRadius] = here[-kRadius * row_stride];
    tile[ty + kTile + kRadius][tx + kRadius] = here[kTile * row_stride];
  }
  if (tx < kRadius) {
    tile[ty + kRadius][tx] = here[-kRadius];
    tile[ty + kRadius][tx + kTile + kRadius] = here[kTile];
  }
  tile[ty + kRadius][tx + kRadius] = current;
}

// Every rounding is named, so that the sum comes out the same wherever it is computed.
static __device__ float laplacian(Tile tile, const float* column) {
  const int x = threadIdx.x + kRadius, y = threadIdx.y + kRadius;
  float sum = weights[0] * column[kRadius];
#pragma unroll
  for (int i = 1; i <= kRadius; ++i) {
    const float along_x = tile[y][x - i] + tile[y][x + i];
    const float along_y = tile[y - i][x] + tile[y + i][x];
    const float along_z = column[kRadius - i] + column[kRadius + i];
    sum = fmaf(weights[i], along_x + along_y + along_z, sum);
  }
  return sum;
}

// `previous` is the field a step ago, and becomes the field of the next step. `speeds` holds the square of
// the speed of sound, in points per step.
extern "C" __global__ void propagate(const float* current, float* previous, const float* speeds, int row_stride,
                                     int plane_stride, int planes) {
  __shared__ Tile tile;
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  int index = (y + kRadius) * row_stride + x + kRadius;

  float column[kColumn];
#pragma unroll
  for (int i = 1; i < kColumn; ++i) column[i] = current[index + (i - 1) * plane_stride];
  index += (kRadius - 1) * plane_stride;

#pragma unroll 1
  for (int plane = 0; plane < planes; ++plane) {
    index += plane_stride;
#pragma unroll
    for (int i = 0; i < kColumn - 1; ++i) column[i] = column[i + 1];
    column[kColumn - 1] = current[index + kRadius * plane_stride];
    __syncthreads();  // nobody reads the last plane any more
    load_plane(tile, current + index, column[kRadius], row_stride);
    __syncthreads();
    const float steady = fmaf(2.0f, column[kRadius], -previous[index]);
    previous[index] = fmaf(speeds[index], laplacian(tile, column), steady);
  }
}
