// Errors: names, texts, and the last error, which reading clears and peeking does not.
#include <cstring>

#include "check.h"

__global__ void nothing() {}

int main() {
  EXPECT(!strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess"));
  EXPECT(!strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
  EXPECT(!strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"));
  EXPECT(!strcmp(cudaGetErrorString(cudaSuccess), "no error"));
  EXPECT(!strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
  EXPECT(!strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"));
  EXPECT(!strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument"));
  EXPECT(!strcmp(cudaGetErrorName((cudaError_t)123456), "unrecognized error code"));
  EXPECT(!strcmp(cudaGetErrorString((cudaError_t)123456), "unrecognized error code"));

  EXPECT_ERROR(cudaGetLastError(), cudaSuccess);
  EXPECT_ERROR(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT_ERROR(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_ERROR(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_ERROR(cudaGetLastError(), cudaSuccess);

  // A call that succeeds leaves an earlier error in place.
  EXPECT_ERROR(cudaSetDevice(-1), cudaErrorInvalidDevice);
  int device = -1;
  CUDA(cudaGetDevice(&device));
  EXPECT(device == 0);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidDevice);

  // An error that is not sticky does not stop what comes after it.
  void* much = nullptr;
  EXPECT_ERROR(cudaMalloc(&much, (size_t)1 << 50), cudaErrorMemoryAllocation);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_ERROR(cudaMemcpy(nullptr, nullptr, 4, (cudaMemcpyKind)17), cudaErrorInvalidMemcpyDirection);
  EXPECT_ERROR(cudaMalloc((void**)nullptr, 4), cudaErrorInvalidValue);
  cudaGetLastError();
  nothing<<<1, 1>>>();
  CUDA(cudaGetLastError());
  CUDA(cudaDeviceSynchronize());
  return passed();
}
