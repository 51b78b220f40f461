// A kernel that writes where nothing is: the error comes with the next call that waits, and stays.
#include <cstring>

#include "check.h"

__global__ void write(int* where) { where[threadIdx.x] = 1; }

int main() {
  int* device;
  CUDA(cudaMalloc(&device, 4 * sizeof(int)));
  write<<<1, 4>>>(device);
  CUDA(cudaDeviceSynchronize());
  write<<<1, 32>>>((int*)(size_t)0x1000);
  const cudaError_t error = cudaDeviceSynchronize();
  EXPECT(error == cudaErrorIllegalAddress);
  EXPECT(!strcmp(cudaGetErrorString(error), "an illegal memory access was encountered"));

  // Reading the error forgets it, as any other; but nothing that needs the GPU works any more.
  EXPECT_ERROR(cudaPeekAtLastError(), cudaErrorIllegalAddress);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_ERROR(cudaGetLastError(), cudaSuccess);
  int host = 0;
  EXPECT_ERROR(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
  EXPECT_ERROR(cudaMalloc(&device, 4), cudaErrorIllegalAddress);
  write<<<1, 1>>>(device);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorIllegalAddress);
  CUDA(cudaSetDevice(0));
  return passed();
}
