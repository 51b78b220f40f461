// Shuffles and votes inside a warp.
#include "check.h"

__global__ void warp_wide(int* sums, int* scans, unsigned* ballots, int* flags, float* rotated) {
  const int i = threadIdx.x, lane = i % 32;
  int sum = i;
  for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, by);
  sums[i] = sum;
  int scan = lane + 1;
  for (int by = 1; by < 32; by *= 2) {
    const int below = __shfl_up_sync(0xffffffffu, scan, by);
    if (lane >= by) scan += below;
  }
  scans[i] = scan;
  ballots[i] = __ballot_sync(0xffffffffu, i % 3 == 0);
  flags[i] = __any_sync(0xffffffffu, i == 40) * 2 + __all_sync(0xffffffffu, i < 64);
  rotated[i] = __shfl_sync(0xffffffffu, 0.5f * i, (lane + 1) % 8, 8) + __shfl_down_sync(0xffffffffu, 1.0f * lane, 4);
  if (lane < 16) sums[i] += __popc(__ballot_sync(0x0000ffffu, lane % 2));
}

int main() {
  const int n = 96;
  int *sums, *scans, *flags;
  unsigned* ballots;
  float* rotated;
  CUDA(cudaMallocManaged(&sums, n * sizeof(int)));
  CUDA(cudaMallocManaged(&scans, n * sizeof(int)));
  CUDA(cudaMallocManaged(&flags, n * sizeof(int)));
  CUDA(cudaMallocManaged(&ballots, n * sizeof(unsigned)));
  CUDA(cudaMallocManaged(&rotated, n * sizeof(float)));
  warp_wide<<<1, n>>>(sums, scans, ballots, flags, rotated);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const int lane = i % 32, warp = i / 32;
    EXPECT(sums[i] == warp * 1024 + 496 + (lane < 16 ? 8 : 0));
    EXPECT(scans[i] == (lane + 1) * (lane + 2) / 2);
    unsigned ballot = 0;
    for (int bit = 0; bit < 32; ++bit) ballot |= (unsigned)((warp * 32 + bit) % 3 == 0) << bit;
    EXPECT(ballots[i] == ballot);
    EXPECT(flags[i] == (warp == 1) * 2 + (warp < 2));
    const int from = lane / 8 * 8 + (lane + 1) % 8, below = lane < 28 ? lane + 4 : lane;
    EXPECT(rotated[i] == 0.5f * (warp * 32 + from) + below);
  }
  return passed();
}
