// A program of two translation units, hence with two fat binaries: kernels and variables of the same name in both.
#include "several_units.h"

#include "check.h"

static __constant__ float term = 1;  // the other unit has its own

static __global__ void add(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += term;
}

int main() {
  const int n = 100;
  float *device, host[n];
  CUDA(cudaMalloc(&device, sizeof host));
  CUDA(cudaMemset(device, 0, sizeof host));
  const float hundred = 100;
  add<<<1, 128>>>(device, n);  // 1
  CUDA(cudaMemcpyToSymbol(term, &hundred, sizeof hundred));
  multiply<float, 3><<<1, 128>>>(device, n);  // 3
  multiply_in_second(device, n);              // 3 * 3 * 5
  add_in_second(device, n, 0.5f);             // + 0.5
  add<<<1, 128>>>(device, n);                 // + 100
  CUDA(cudaGetLastError());
  CUDA(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  for (float value : host) EXPECT(value == 145.5f);
  return passed();
}
