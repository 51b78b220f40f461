// What the device says of itself, a line each, for who knows what it should be; the two ways of asking agree.
#include "check.h"

static int attribute(cudaDeviceAttr which) {
  int value = -1;
  CUDA(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int main() {
  cudaDeviceProp p;
  CUDA(cudaGetDeviceProperties(&p, 0));
  printf("name %s\n", p.name);
  printf("capability %d.%d\n", p.major, p.minor);
  printf("memory %zu\n", p.totalGlobalMem);
  printf("multiprocessors %d\n", p.multiProcessorCount);
  printf("threads %d blocks %d registers %d\n", p.maxThreadsPerMultiProcessor, p.maxBlocksPerMultiProcessor,
         p.regsPerMultiprocessor);
  printf("shared %zu opt-in %zu of %zu reserved %zu\n", p.sharedMemPerBlock, p.sharedMemPerBlockOptin,
         p.sharedMemPerMultiprocessor, p.reservedSharedMemPerBlock);
  printf("clock %d memory clock %d\n", attribute(cudaDevAttrClockRate), attribute(cudaDevAttrMemoryClockRate));
  printf("bus %d L2 %d\n", p.memoryBusWidth, p.l2CacheSize);
  EXPECT(p.sharedMemPerBlockOptin == (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  EXPECT(p.reservedSharedMemPerBlock == (size_t)attribute(cudaDevAttrReservedSharedMemoryPerBlock));
  EXPECT(p.memoryBusWidth == attribute(cudaDevAttrGlobalMemoryBusWidth));
  EXPECT(p.l2CacheSize == attribute(cudaDevAttrL2CacheSize));
  size_t unused = 0, total = 0;
  CUDA(cudaMemGetInfo(&unused, &total));
  EXPECT(unused <= total && total <= p.totalGlobalMem);
  return passed();
}
