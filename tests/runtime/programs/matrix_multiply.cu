// Tiles in shared memory, two-dimensional blocks and barriers: the classic of all courses.
#include <vector>

#include "check.h"

const int tile = 16;

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int first = 0; first < n; first += tile) {
    a_tile[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0;
    b_tile[y][x] = first + y < n && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

int main() {
  const int n = 45;  // no multiple of the tile
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = (float)(i % 7 - 3);
    b[i] = (float)(i % 5 - 2);
  }
  float *device_a, *device_b, *device_c;
  const size_t bytes = n * n * sizeof(float);
  CUDA(cudaMalloc(&device_a, bytes));
  CUDA(cudaMalloc(&device_b, bytes));
  CUDA(cudaMalloc(&device_c, bytes));
  CUDA(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));
  const int tiles = (n + tile - 1) / tile;
  multiply<<<dim3(tiles, tiles), dim3(tile, tile)>>>(device_a, device_b, device_c, n);
  CUDA(cudaMemcpy(c.data(), device_c, bytes, cudaMemcpyDeviceToHost));
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
      EXPECT(c[row * n + column] == sum);  // small whole numbers: exact in any order
    }
  return passed();
}
