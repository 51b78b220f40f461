// Attributes of functions, and how many blocks of them are resident.
#include "check.h"

__global__ void plain(int* out) { out[threadIdx.x] = threadIdx.x; }

__global__ void __launch_bounds__(128) bounded(int* out) {
  __shared__ int row[256];
  row[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x ^ 1];
}

int main() {
  cudaDeviceProp properties;
  CUDA(cudaGetDeviceProperties(&properties, 0));
  cudaFuncAttributes attributes;
  CUDA(cudaFuncGetAttributes(&attributes, plain));
  EXPECT(attributes.sharedSizeBytes == 0 && attributes.numRegs > 0);
  EXPECT(attributes.maxThreadsPerBlock > 128 && attributes.maxThreadsPerBlock <= properties.maxThreadsPerBlock);
  EXPECT(attributes.ptxVersion >= 50);
  CUDA(cudaFuncGetAttributes(&attributes, bounded));
  EXPECT(attributes.sharedSizeBytes == 1024);
  EXPECT(attributes.maxThreadsPerBlock == 128);

  int blocks = 0;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 128, 0));
  EXPECT(blocks >= 1 && blocks * 128 <= properties.maxThreadsPerMultiProcessor);
  int fewer = 0;
  const size_t half = properties.sharedMemPerBlock / 2 + 1024;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, plain, 128, half));
  EXPECT(fewer >= 1 && fewer <= blocks && fewer * half <= properties.sharedMemPerMultiprocessor);
  int same = 0;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&same, (const void*)plain, 128, 0, cudaOccupancyDefault));
  EXPECT(same == blocks);

  int grid = 0, block = 0;
  CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0));
  EXPECT(block >= 32 && block <= properties.maxThreadsPerBlock && grid >= properties.multiProcessorCount);
  int *device, out[128];
  CUDA(cudaMalloc(&device, properties.maxThreadsPerBlock * sizeof(int)));
  plain<<<1, block>>>(device);
  CUDA(cudaDeviceSynchronize());
  bounded<<<1, 128>>>(device);
  CUDA(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(out[i] == (i ^ 1));
  CUDA(cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1));
  CUDA(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  CUDA(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  return passed();
}
