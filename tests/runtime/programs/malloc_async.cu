// Memory that is allocated and freed in the order of a stream.
#include "check.h"

__global__ void fill(int* data, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = value + i;
}

int main() {
  const int n = 1000;
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  int host[n];
  for (int round = 0; round < 20; ++round) {
    int* data;
    CUDA(cudaMallocAsync(&data, n * sizeof(int), stream));
    fill<<<4, 256, 0, stream>>>(data, n, round);
    CUDA(cudaMemcpyAsync(host, data, sizeof host, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaFreeAsync(data, stream));
    CUDA(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; ++i) EXPECT(host[i] == round + i);
  }
  // Freed by the other pair.
  int *first, *second;
  CUDA(cudaMallocAsync(&first, 64, stream));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaFree(first));
  CUDA(cudaMalloc(&second, 64));
  CUDA(cudaFreeAsync(second, stream));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaStreamDestroy(stream));
  return passed();
}
