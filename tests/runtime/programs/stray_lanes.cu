// Threads that leave themselves out of the mask of a warp-wide instruction. What they get is undefined; but those that
// are named get what they should, and all go on, as on a GPU.
#include "check.h"

__global__ void stray(int* named, unsigned* below) {
  const unsigned lane = threadIdx.x;
  const int got = __shfl_sync(0x0000ffffu, (int)lane * 10, 3);
  named[lane] = lane < 16 ? got : -1;
  below[lane] = __ballot_sync((1u << lane) - 1, 1) ? 1 : 0;  // nobody names itself
  named[lane] += __shfl_sync(0xffffffffu, 1, 0);
}

int main() {
  int* named;
  unsigned* below;
  CUDA(cudaMallocManaged(&named, 32 * sizeof(int)));
  CUDA(cudaMallocManaged(&below, 32 * sizeof(unsigned)));
  stray<<<1, 32>>>(named, below);
  CUDA(cudaDeviceSynchronize());
  for (int lane = 0; lane < 32; ++lane) EXPECT(named[lane] == (lane < 16 ? 31 : 0));
  CUDA(cudaFree(named));
  CUDA(cudaFree(below));
  return passed();
}
