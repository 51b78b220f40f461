// Calls that need no simulation and must do no harm: profiler, peers, limits, flags, bus.
#include <cuda_profiler_api.h>

#include <cstring>

#include "check.h"

__global__ void nothing() {}

int main() {
  CUDA(cudaProfilerStart());
  nothing<<<1, 1>>>();
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaProfilerStop());

  int can = -1, count = 0;
  CUDA(cudaGetDeviceCount(&count));
  CUDA(cudaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT(can == 0);
  EXPECT_ERROR(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
  EXPECT_ERROR(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  cudaGetLastError();

  int *a, *b, value = 42, back = 0;
  CUDA(cudaMalloc(&a, sizeof value));
  CUDA(cudaMalloc(&b, sizeof value));
  CUDA(cudaMemcpy(a, &value, sizeof value, cudaMemcpyHostToDevice));
  CUDA(cudaMemcpyPeer(b, 0, a, 0, sizeof value));
  CUDA(cudaMemcpy(&back, b, sizeof back, cudaMemcpyDeviceToHost));
  EXPECT(back == 42);

  size_t limit = 0;
  CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  CUDA(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  EXPECT(limit >= 4096);
  CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  CUDA(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  EXPECT(limit >= 16 << 20);
  char bus[32] = {};
  CUDA(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  EXPECT(strchr(bus, ':'));
  cudaDeviceProp wanted = {};
  int chosen = -1;
  CUDA(cudaChooseDevice(&chosen, &wanted));
  EXPECT(chosen >= 0 && chosen < count);
  return passed();
}
