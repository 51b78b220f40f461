// The first CUDA program of everybody: allocate, copy, launch, copy back.
#include <vector>

#include "check.h"

__global__ void add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  std::vector<float> a(n), b(n), sum(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 0.5f * i;
    b[i] = 1000.0f - i;
  }
  float *device_a, *device_b, *device_sum;
  CUDA(cudaMalloc(&device_a, n * sizeof(float)));
  CUDA(cudaMalloc(&device_b, n * sizeof(float)));
  CUDA(cudaMalloc(&device_sum, n * sizeof(float)));
  CUDA(cudaMemcpy(device_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy(device_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
  CUDA(cudaGetLastError());
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaMemcpy(sum.data(), device_sum, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(sum[i] == a[i] + b[i]);
  CUDA(cudaFree(device_a));
  CUDA(cudaFree(device_b));
  CUDA(cudaFree(device_sum));
  CUDA(cudaFree(nullptr));
  CUDA(cudaDeviceReset());
  return passed();
}
