// An assertion that fails in a kernel: the program learns of it at the next call that waits, and from then on always.
#undef NDEBUG
#include <cassert>

#include "check.h"

__global__ void positive(const int* data) { assert(data[threadIdx.x] >= 0); }

int main() {
  int host[32] = {}, *device;
  CUDA(cudaMalloc(&device, sizeof host));
  CUDA(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  positive<<<1, 32>>>(device);
  CUDA(cudaDeviceSynchronize());
  host[7] = -1;
  CUDA(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  positive<<<1, 32>>>(device);
  EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorAssert);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorAssert);
  void* more;
  EXPECT_ERROR(cudaMalloc(&more, 4), cudaErrorAssert);
  return passed();
}
