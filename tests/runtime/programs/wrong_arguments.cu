// What CUDA answers to arguments that cannot be. The answers are those of CUDA 13.0 on an H200.
#include "check.h"

__device__ int symbol[4];
static int no_symbol[4];
__global__ void nothing() {}

void memory() {
  int *device = nullptr, *none = &no_symbol[0], host[16];
  CUDA(cudaMalloc(&device, 64));
  CUDA(cudaMalloc(&none, 0));
  EXPECT(!none);
  CUDA(cudaFree(nullptr));
  CUDA(cudaFreeHost(nullptr));
  EXPECT_ERROR(cudaFree(device + 1), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaFree(host), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaFreeHost(host), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(device, host, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(device, host, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(device, nullptr, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CUDA(cudaMemcpy(device, nullptr, 0, cudaMemcpyHostToDevice));
  EXPECT_ERROR(cudaMemcpy2D(device, 4, host, 8, 8, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemset(nullptr, 0, 4), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemset(device, 0, 1 << 22), cudaErrorInvalidValue);
  CUDA(cudaFree(device));
  EXPECT_ERROR(cudaFree(device), cudaErrorInvalidValue);
}

void symbols() {
  int host[8] = {};
  void* address;
  size_t bytes;
  EXPECT_ERROR(cudaMemcpyToSymbol(symbol, host, 17), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpyToSymbol(symbol, host, 8, 12), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpyToSymbol(no_symbol, host, 4), cudaErrorInvalidSymbol);
  EXPECT_ERROR(cudaGetSymbolAddress(&address, no_symbol), cudaErrorInvalidSymbol);
  EXPECT_ERROR(cudaGetSymbolSize(&bytes, no_symbol), cudaErrorInvalidSymbol);
}

void functions() {
  cudaFuncAttributes attributes;
  int blocks;
  EXPECT_ERROR(cudaFuncGetAttributes(&attributes, (const void*)no_symbol), cudaErrorInvalidResourceHandle);
  EXPECT_ERROR(cudaFuncSetAttribute((const void*)nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30),
               cudaErrorInvalidValue);
  EXPECT_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 0, 0), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaLaunchCooperativeKernel((const void*)nothing, dim3(1000000), dim3(32), nullptr, 0, nullptr),
               cudaErrorCooperativeLaunchTooLarge);
}

void devices() {
  int value;
  EXPECT_ERROR(cudaDeviceCanAccessPeer(&value, 0, 7), cudaErrorInvalidDevice);
  EXPECT_ERROR(cudaDeviceEnablePeerAccess(7, 0), cudaErrorInvalidDevice);
  EXPECT_ERROR(cudaDeviceDisablePeerAccess(7), cudaErrorInvalidDevice);
  EXPECT_ERROR(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 3), cudaErrorInvalidDevice);
}

void events_and_streams() {
  cudaEvent_t first, second, untimed;
  cudaStream_t stream;
  float time;
  CUDA(cudaEventCreate(&first));
  CUDA(cudaEventCreate(&second));
  CUDA(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  EXPECT_ERROR(cudaEventElapsedTime(&time, first, second), cudaErrorInvalidResourceHandle);  // neither recorded
  CUDA(cudaEventQuery(first));
  CUDA(cudaEventSynchronize(first));
  CUDA(cudaEventRecord(first));
  EXPECT_ERROR(cudaEventElapsedTime(&time, first, second), cudaErrorInvalidResourceHandle);
  CUDA(cudaEventRecord(untimed));
  CUDA(cudaEventSynchronize(untimed));
  EXPECT_ERROR(cudaEventElapsedTime(&time, first, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_ERROR(cudaEventRecord(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_ERROR(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_ERROR(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_ERROR(cudaStreamCreateWithFlags(&stream, 77), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaEventCreateWithFlags(&untimed, 0xff00), cudaErrorInvalidValue);
}

int main() {
  memory();
  symbols();
  functions();
  devices();
  events_and_streams();
  cudaGetLastError();
  nothing<<<1, 1>>>();
  CUDA(cudaGetLastError());
  CUDA(cudaDeviceSynchronize());
  return passed();
}
