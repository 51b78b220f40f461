// A launch shaped by the device's properties, and many small launches.
#include <vector>

#include "check.h"

__global__ void saxpy(float a, const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}

__global__ void count_up(int* counter) { atomicAdd(counter, 1); }

int main() {
  cudaDeviceProp properties;
  CUDA(cudaGetDeviceProperties(&properties, 0));
  const int n = 10007;
  std::vector<float> x(n), y(n), result(n);
  for (int i = 0; i < n; ++i) {
    x[i] = (float)(i % 100);
    y[i] = (float)(i % 9);
  }
  float *device_x, *device_y;
  CUDA(cudaMalloc(&device_x, n * sizeof(float)));
  CUDA(cudaMalloc(&device_y, n * sizeof(float)));
  CUDA(cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy(device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  saxpy<<<2 * properties.multiProcessorCount, 64>>>(2.0f, device_x, device_y, n);
  CUDA(cudaMemcpy(result.data(), device_y, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(result[i] == 2.0f * x[i] + y[i]);

  int *counter, counted = 0;
  CUDA(cudaMalloc(&counter, sizeof counted));
  CUDA(cudaMemset(counter, 0, sizeof counted));
  for (int launch = 0; launch < 200; ++launch) count_up<<<1, 4>>>(counter);
  CUDA(cudaMemcpy(&counted, counter, sizeof counted, cudaMemcpyDeviceToHost));
  EXPECT(counted == 800);
  return passed();
}
