// Launches that cannot be: the error comes at once (invalid value, in CUDA 13), and the next launch works.
#include "check.h"

__global__ void mark(int* out) {
  extern __shared__ int row[];
  row[0] = 3;
  __syncthreads();
  *out = row[0];
}
__global__ void __launch_bounds__(64) narrow(int* out) { *out = 1; }

int main() {
  cudaDeviceProp properties;
  CUDA(cudaGetDeviceProperties(&properties, 0));
  int *device, host = 0;
  CUDA(cudaMalloc(&device, sizeof host));
  const int threads = properties.maxThreadsPerBlock;

  mark<<<1, threads + 1, 4>>>(device);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  mark<<<0, 32, 4>>>(device);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  mark<<<1, 0, 4>>>(device);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  mark<<<dim3(1, 65536), 32, 4>>>(device);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  mark<<<1, dim3(1, 1, 65), 4>>>(device);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  mark<<<1, 32, properties.sharedMemPerMultiprocessor + 4096>>>(device);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  narrow<<<1, 65>>>(device);  // more threads than its launch bound
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);

  EXPECT_ERROR(cudaGetLastError(), cudaSuccess);
  mark<<<1, 32, 4>>>(device);
  CUDA(cudaGetLastError());
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host == 3);
  return passed();
}
