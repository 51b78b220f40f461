// Shared memory whose size the launch gives, beside some that is fixed.
#include "check.h"

__global__ void reverse(const int* in, int* out) {
  extern __shared__ int row[];
  __shared__ int total;
  const int i = threadIdx.x, n = blockDim.x;
  if (i == 0) total = 0;
  row[i] = in[blockIdx.x * n + i];
  __syncthreads();
  atomicAdd(&total, row[i]);
  __syncthreads();
  out[blockIdx.x * n + i] = row[n - 1 - i] + total;
}

__global__ void two_arrays(double* out, int n) {
  extern __shared__ double doubles[];
  float* floats = (float*)(doubles + n);
  const int i = threadIdx.x;
  doubles[i] = i;
  floats[i] = 0.5f * i;
  __syncthreads();
  out[i] = doubles[(i + 1) % n] + floats[(i + 2) % n];
}

int main() {
  const int blocks = 3, n = 96;
  int in[blocks * n], out[blocks * n];
  for (int i = 0; i < blocks * n; ++i) in[i] = i;
  int *device_in, *device_out;
  CUDA(cudaMalloc(&device_in, sizeof in));
  CUDA(cudaMalloc(&device_out, sizeof out));
  CUDA(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
  reverse<<<blocks, n, n * sizeof(int)>>>(device_in, device_out);
  CUDA(cudaGetLastError());
  CUDA(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int b = 0; b < blocks; ++b) {
    const int total = n * (n - 1) / 2 + n * b * n;
    for (int i = 0; i < n; ++i) EXPECT(out[b * n + i] == b * n + n - 1 - i + total);
  }

  double *device_sums, sums[n];
  CUDA(cudaMalloc(&device_sums, sizeof sums));
  two_arrays<<<1, n, n * (sizeof(double) + sizeof(float))>>>(device_sums, n);
  CUDA(cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(sums[i] == (i + 1) % n + 0.5 * ((i + 2) % n));
  return passed();
}
