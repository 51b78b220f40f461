// __managed__ variables: the host reads and writes them by their names, as kernels do.
#include "check.h"

struct Pair {
  int first;
  float second;
};

__managed__ int counter = 5;
__managed__ Pair pairs[4] = {{1, 1.5f}, {2, 2.5f}};
__device__ __managed__ double total;
__managed__ int* elsewhere;

__global__ void change(int steps) {
  if (threadIdx.x == 0) counter += steps;
  if (threadIdx.x < 4) pairs[threadIdx.x].second += pairs[threadIdx.x].first;
  if (threadIdx.x == 0) total = counter * 0.5;
  if (elsewhere) elsewhere[threadIdx.x] = (int)threadIdx.x;
}

int main() {
  EXPECT(counter == 5);
  EXPECT(pairs[1].second == 2.5f && pairs[3].first == 0);
  counter = 7;
  pairs[2].first = 9;
  CUDA(cudaMallocManaged(&elsewhere, 32 * sizeof(int)));
  change<<<1, 32>>>(10);
  CUDA(cudaDeviceSynchronize());
  EXPECT(counter == 17 && total == 8.5);
  EXPECT(pairs[0].second == 2.5f && pairs[1].second == 4.5f && pairs[2].second == 9);
  for (int i = 0; i < 32; ++i) EXPECT(elsewhere[i] == i);

  int copy = 0;
  CUDA(cudaMemcpyFromSymbol(&copy, counter, sizeof copy));
  EXPECT(copy == 17);
  copy = 3;
  CUDA(cudaMemcpyToSymbol(counter, &copy, sizeof copy));
  EXPECT(counter == 3);
  void* address = nullptr;
  CUDA(cudaGetSymbolAddress(&address, counter));
  CUDA(cudaMemset(address, 0, sizeof(int)));
  EXPECT(counter == 0);
  cudaPointerAttributes attributes;
  CUDA(cudaPointerGetAttributes(&attributes, &counter));
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  CUDA(cudaFree(elsewhere));
  return passed();
}
