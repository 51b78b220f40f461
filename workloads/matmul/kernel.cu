// C = A * B, row-major: A is m x k, B is k x n. One 16x16 block per tile of C walks along k, both factors'
// tiles staged in shared memory. All dimensions are multiples of the tile.

constexpr int kTile = 16;

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n, int k) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  float sum = 0.0f;
  for (int start = 0; start < k; start += kTile) {
    tile_a[ty][tx] = a[row * k + start + tx];
    tile_b[ty][tx] = b[(start + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile_a[ty][i] * tile_b[i][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
