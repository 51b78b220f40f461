// Pinned host memory, and host memory that the device reads and writes in place.
#include <cstdlib>

#include "check.h"

__global__ void square(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

static void check_and_clear(int* out, int n) {
  for (int i = 0; i < n; ++i) {
    EXPECT(out[i] == i * i);
    out[i] = 0;
  }
}

int main() {
  const int n = 512;
  CUDA(cudaSetDeviceFlags(cudaDeviceMapHost));
  int *in, *out, *device_in = nullptr, *device_out = nullptr;
  CUDA(cudaHostAlloc(&in, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined));
  CUDA(cudaHostAlloc(&out, n * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < n; ++i) in[i] = i;
  CUDA(cudaHostGetDevicePointer(&device_in, in, 0));
  CUDA(cudaHostGetDevicePointer(&device_out, out, 0));
  square<<<2, 256>>>(device_in, device_out, n);
  CUDA(cudaDeviceSynchronize());
  check_and_clear(out, n);

  // With one address space the host's pointer serves as well.
  square<<<2, 256>>>(in, out, n);
  CUDA(cudaDeviceSynchronize());
  check_and_clear(out, n);

  unsigned flags = 0;
  CUDA(cudaHostGetFlags(&flags, out));
  EXPECT(flags & cudaHostAllocMapped);
  cudaPointerAttributes attributes;
  CUDA(cudaPointerGetAttributes(&attributes, out));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == out);
  CUDA(cudaFreeHost(in));
  CUDA(cudaFreeHost(out));

  // Memory of malloc, registered later.
  int* own = (int*)aligned_alloc(4096, 4096);
  CUDA(cudaHostRegister(own, 4096, cudaHostRegisterMapped));
  EXPECT_ERROR(cudaHostRegister(own, 4096, cudaHostRegisterMapped), cudaErrorHostMemoryAlreadyRegistered);
  int* device_own = nullptr;
  CUDA(cudaHostGetDevicePointer(&device_own, own, 0));
  for (int i = 0; i < n; ++i) own[i] = i;
  square<<<2, 256>>>(device_own, device_own + n, n);
  CUDA(cudaDeviceSynchronize());
  check_and_clear(own + n, n);
  CUDA(cudaHostUnregister(own));
  EXPECT_ERROR(cudaHostUnregister(own), cudaErrorHostMemoryNotRegistered);
  free(own);

  // Of a stack: registered for the sake of copies.
  int local[256] = {}, *device = nullptr;
  CUDA(cudaHostRegister(local, sizeof local, 0));
  for (int i = 0; i < 256; ++i) local[i] = i;
  CUDA(cudaMalloc(&device, sizeof local));
  CUDA(cudaMemcpyAsync(device, local, sizeof local, cudaMemcpyHostToDevice, nullptr));
  square<<<1, 256>>>(device, device, 256);
  CUDA(cudaMemcpyAsync(local, device, sizeof local, cudaMemcpyDeviceToHost, nullptr));
  CUDA(cudaDeviceSynchronize());
  printf("registered on the stack: %d\n", local[9]);
  for (int i = 0; i < 256; ++i) EXPECT(local[i] == i * i);
  CUDA(cudaHostUnregister(local));
  return passed();
}
