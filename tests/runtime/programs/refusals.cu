// What is not supported says so, and the program works on.
#include "check.h"

__global__ void increment(int* value) { *value += 1; }

int main() {
  cudaGraph_t graph;
  CUDA(cudaGraphCreate(&graph, 0));
  for (int i = 0; i < 2; ++i) {
    const cudaError_t told = cudaGraphDebugDotPrint(graph, "/dev/null", 0);
    EXPECT(told == cudaSuccess || told == cudaErrorNotSupported);
    EXPECT_ERROR(cudaGetLastError(), told);
    EXPECT_ERROR(cudaGetLastError(), cudaSuccess);
  }
  int *device, host = 0;
  CUDA(cudaMalloc(&device, sizeof host));
  CUDA(cudaMemset(device, 0, sizeof host));
  increment<<<1, 1>>>(device);
  CUDA(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host == 1);
  return passed();
}
