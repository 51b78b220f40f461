// One time step of a 3-D finite-difference scheme: a point becomes the weighted sum of itself and of the four
// points on either side along each axis. A block of 32x16 threads walks along z; the plane at hand lies in
// shared memory with a rim of four points, the planes in front and behind in registers. The volume carries a
// margin of four points on all sides, which the threads of the last blocks reach beyond.

constexpr int kRadius = 4, kWidth = 32, kHeight = 16;

// The points to compute; the arrays are larger by the margin.
struct Volume {
  int nx, ny, nz;
};

typedef float Tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];

__constant__ float weights[kRadius + 1];

// The first rows of threads fetch the rim above and below, the first columns that to the left and right.
static __device__ void load_rim(Tile tile, const float* in, unsigned index, unsigned row_stride) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  if (ty < kRadius) {
    tile[ty][tx + kRadius] = in[index - kRadius * row_stride];
    tile[ty + kHeight + kRadius][tx + kRadius] = in[index + kHeight * row_stride];
  }
  if (tx < kRadius) {
    tile[ty + kRadius][tx] = in[index - kRadius];
    tile[ty + kRadius][tx + kWidth + kRadius] = in[index + kWidth];
  }
}

// Every rounding is named, so that the sum comes out the same wherever it is computed.
static __device__ float weighted_sum(Tile tile, const float* behind, float current, const float* in_front) {
  const int x = threadIdx.x + kRadius, y = threadIdx.y + kRadius;
  float sum = weights[0] * current;
#pragma unroll
  for (int i = 1; i <= kRadius; ++i) {
    const float along_z = in_front[i - 1] + behind[i - 1];
    const float along_y = tile[y - i][x] + tile[y + i][x];
    const float along_x = tile[y][x - i] + tile[y][x + i];
    sum = fmaf(weights[i], along_z + along_y + along_x, sum);
  }
  return sum;
}

extern "C" __global__ void step_volume(const float* in, float* out, Volume volume) {
  __shared__ Tile tile;
  const int x = blockIdx.x * kWidth + threadIdx.x, y = blockIdx.y * kHeight + threadIdx.y;
  // Unsigned, as nvcc makes a 64-bit pointer for every signed index that moves along; the registers of a block
  // of 512 threads are few.
  const unsigned row_stride = volume.nx + 2 * kRadius, plane_stride = row_stride * (volume.ny + 2 * kRadius);
  const bool can_read = x < volume.nx + kRadius && y < volume.ny + kRadius;
  const bool can_write = x < volume.nx && y < volume.ny;
  unsigned index = (y + kRadius) * row_stride + x + kRadius;  // in the first plane of the margin

  float behind[kRadius], current = 0.0f, in_front[kRadius];
#pragma unroll
  for (int i = 0; i < kRadius; ++i) behind[i] = can_read ? in[index + (kRadius - 1 - i) * plane_stride] : 0.0f;
  if (can_read) current = in[index + kRadius * plane_stride];
#pragma unroll
  for (int i = 0; i < kRadius; ++i) in_front[i] = can_read ? in[index + (kRadius + 1 + i) * plane_stride] : 0.0f;
  index += kRadius * plane_stride;

#pragma unroll 1
  for (int z = 0; z < volume.nz; ++z) {
    __syncthreads();  // nobody reads the last plane any more
    if (can_read) {
      tile[threadIdx.y + kRadius][threadIdx.x + kRadius] = current;
      load_rim(tile, in, index, row_stride);
    }
    __syncthreads();
    if (can_write) out[index] = weighted_sum(tile, behind, current, in_front);

#pragma unroll
    for (int i = kRadius - 1; i > 0; --i) behind[i] = behind[i - 1];
    behind[0] = current;
    current = in_front[0];
#pragma unroll
    for (int i = 0; i < kRadius - 1; ++i) in_front[i] = in_front[i + 1];
    index += plane_stride;
    if (can_read && z + 1 < volume.nz) in_front[kRadius - 1] = in[index + kRadius * plane_stride];
  }
}
