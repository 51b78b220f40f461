// A __managed__ variable that the host touches for the first time when a kernel has failed.
#include "check.h"

__managed__ int values[64];

__global__ void count() { values[threadIdx.x] = (int)threadIdx.x + 1; }
__global__ void go_astray(int* data) { data[1 << 28] = 1; }

int main() {
  int* data = nullptr;
  CUDA(cudaMalloc(&data, 64));
  count<<<1, 64>>>();
  CUDA(cudaDeviceSynchronize());
  go_astray<<<1, 1>>>(data);
  EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT(values[9] == 10);
  return passed();
}
