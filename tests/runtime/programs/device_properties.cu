// What a program can ask about the device, and that two ways of asking agree.
#include <cstring>

#include "check.h"

static int attribute(cudaDeviceAttr which) {
  int value = -1;
  CUDA(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

__global__ void warp_width(int* width) { *width = warpSize; }

int main() {
  int count = 0, device = -1, runtime = 0, driver = 0;
  CUDA(cudaGetDeviceCount(&count));
  EXPECT(count >= 1);
  CUDA(cudaSetDevice(0));
  CUDA(cudaGetDevice(&device));
  EXPECT(device == 0);
  CUDA(cudaRuntimeGetVersion(&runtime));
  CUDA(cudaDriverGetVersion(&driver));
  EXPECT(runtime >= 11000 && driver >= runtime);

  cudaDeviceProp properties;
  memset(&properties, 0xff, sizeof properties);
  CUDA(cudaGetDeviceProperties(&properties, 0));
  EXPECT_ERROR(cudaGetDeviceProperties(&properties, count), cudaErrorInvalidDevice);
  EXPECT(memchr(properties.name, 0, sizeof properties.name) && properties.name[0]);
  EXPECT(properties.warpSize == 32 && properties.warpSize == attribute(cudaDevAttrWarpSize));
  EXPECT(properties.multiProcessorCount >= 1);
  EXPECT(properties.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount));
  EXPECT(properties.maxThreadsPerBlock == attribute(cudaDevAttrMaxThreadsPerBlock));
  EXPECT(properties.maxThreadsPerBlock >= 512 && properties.maxThreadsDim[0] >= 512);
  EXPECT(properties.maxThreadsPerMultiProcessor == attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
  EXPECT(properties.maxThreadsPerMultiProcessor >= properties.maxThreadsPerBlock);
  EXPECT(properties.sharedMemPerBlock == (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlock));
  EXPECT(properties.sharedMemPerBlock >= 16384);
  EXPECT(properties.regsPerBlock == attribute(cudaDevAttrMaxRegistersPerBlock));
  EXPECT(properties.totalConstMem == 65536);
  EXPECT(properties.major == attribute(cudaDevAttrComputeCapabilityMajor) && properties.major >= 7);
  EXPECT(properties.minor == attribute(cudaDevAttrComputeCapabilityMinor));
  EXPECT(properties.maxGridSize[0] == 2147483647 && properties.maxGridSize[1] == 65535);
  EXPECT(properties.unifiedAddressing == 1 && properties.canMapHostMemory == 1);
  EXPECT(properties.cooperativeLaunch == 1 && attribute(cudaDevAttrCooperativeLaunch) == 1);
  EXPECT(attribute(cudaDevAttrClockRate) > 0);

  size_t free = 0, total = 0;
  CUDA(cudaMemGetInfo(&free, &total));
  EXPECT(free > 0 && free <= total && total <= properties.totalGlobalMem);
  int* width;
  CUDA(cudaMallocManaged(&width, sizeof(int)));
  warp_width<<<1, 1>>>(width);
  CUDA(cudaDeviceSynchronize());
  EXPECT(*width == properties.warpSize);
  return passed();
}
