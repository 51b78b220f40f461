// A cooperative launch: all blocks wait for each other in grid.sync(), several times.
#include <cooperative_groups.h>

#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

// Sums over neighbours, round after round: each round needs all of the one before.
__global__ void rounds(int* even, int* odd, int n, int count) {
  cg::grid_group grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < count; ++round) {
    const int* from = round % 2 ? odd : even;
    int* to = round % 2 ? even : odd;
    to[i] = from[i] + from[(i + n / 2) % n];
    grid.sync();
  }
}

int main() {
  const int threads = 64;
  int blocks_per_processor = 0, processors = 0;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_processor, rounds, threads, 0));
  CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  const int most = blocks_per_processor * processors;
  EXPECT(most >= 1);
  int blocks = most < 8 ? most : 8, n = blocks * threads, count = 6;
  int *even, *odd;
  CUDA(cudaMalloc(&even, n * sizeof(int)));
  CUDA(cudaMalloc(&odd, n * sizeof(int)));
  std::vector<int> data(n), expected(n), next(n);
  for (int i = 0; i < n; ++i) data[i] = expected[i] = i;
  CUDA(cudaMemcpy(even, data.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  void* arguments[] = {&even, &odd, &n, &count};
  CUDA(cudaLaunchCooperativeKernel((const void*)rounds, dim3(blocks), dim3(threads), arguments, 0, nullptr));
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaMemcpy(data.data(), even, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int round = 0; round < count; ++round) {
    for (int i = 0; i < n; ++i) next[i] = expected[i] + expected[(i + n / 2) % n];
    expected.swap(next);
  }
  EXPECT(data == expected);

  // More blocks than can be resident at once.
  EXPECT_ERROR(cudaLaunchCooperativeKernel((const void*)rounds, dim3(most + 1), dim3(threads), arguments, 0, nullptr),
               cudaErrorCooperativeLaunchTooLarge);
  return passed();
}
