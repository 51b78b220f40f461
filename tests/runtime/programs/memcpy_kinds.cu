// Copies in all directions, into the middle of allocations, with the direction found by the library, and the mistakes.
#include <cstring>
#include <vector>

#include "check.h"

__global__ void increment(unsigned char* bytes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bytes[i] += 1;
}

int main() {
  const int n = 5000;
  std::vector<unsigned char> from(n), to(n);
  for (int i = 0; i < n; ++i) from[i] = (unsigned char)(i * 7);
  unsigned char *first, *second;
  CUDA(cudaMalloc(&first, n));
  CUDA(cudaMalloc(&second, n));

  CUDA(cudaMemcpy(first, from.data(), n, cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy(second, first, n, cudaMemcpyDeviceToDevice));
  CUDA(cudaMemcpy(to.data(), second, n, cudaMemcpyDeviceToHost));
  EXPECT(from == to);

  // The direction from the addresses.
  increment<<<(n + 127) / 128, 128>>>(first, n);
  CUDA(cudaMemcpy(second, first, n, cudaMemcpyDefault));
  CUDA(cudaMemcpy(to.data(), second, n, cudaMemcpyDefault));
  for (int i = 0; i < n; ++i) EXPECT(to[i] == (unsigned char)(from[i] + 1));
  CUDA(cudaMemcpy(first, from.data(), n, cudaMemcpyDefault));
  CUDA(cudaMemcpy(to.data(), from.data(), n, cudaMemcpyHostToHost));
  EXPECT(from == to);

  // A piece, from an odd offset to another.
  CUDA(cudaMemcpy(second + 13, first + 101, 777, cudaMemcpyDeviceToDevice));
  CUDA(cudaMemcpy(to.data(), second + 13, 777, cudaMemcpyDeviceToHost));
  EXPECT(!memcmp(to.data(), from.data() + 101, 777));
  CUDA(cudaMemcpy(second, from.data(), 0, cudaMemcpyHostToDevice));

  // A direction that the addresses contradict, and a copy past the end.
  EXPECT_ERROR(cudaMemcpy(first, second, n, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
  EXPECT_ERROR(cudaMemcpy(nullptr, first, n, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  cudaGetLastError();

  cudaPointerAttributes attributes;
  CUDA(cudaPointerGetAttributes(&attributes, first + 5));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.device == 0 && attributes.devicePointer == first + 5);
  CUDA(cudaPointerGetAttributes(&attributes, from.data()));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);
  CUDA(cudaFree(first));
  CUDA(cudaFree(second));
  return passed();
}
