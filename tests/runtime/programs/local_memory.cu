// Arrays per thread, recursion and functions by pointer.
#include "check.h"

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void sort_each(int* data, int* fibonaccis) {
  int own[16];
  const int i = threadIdx.x;
  for (int k = 0; k < 16; ++k) own[k] = data[i * 16 + k];
  for (int k = 1; k < 16; ++k)
    for (int j = k; j > 0 && own[j - 1] > own[j]; --j) {
      const int swap = own[j];
      own[j] = own[j - 1];
      own[j - 1] = swap;
    }
  for (int k = 0; k < 16; ++k) data[i * 16 + k] = own[k];
  fibonaccis[i] = fibonacci(i % 12);
}

int main() {
  const int n = 64;
  int *data, *fibonaccis;
  CUDA(cudaMallocManaged(&data, n * 16 * sizeof(int)));
  CUDA(cudaMallocManaged(&fibonaccis, n * sizeof(int)));
  for (int i = 0; i < n * 16; ++i) data[i] = i * 7919 % 1013;
  CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  sort_each<<<1, n>>>(data, fibonaccis);
  CUDA(cudaDeviceSynchronize());
  const int expected[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (int i = 0; i < n; ++i) {
    for (int k = 1; k < 16; ++k) EXPECT(data[i * 16 + k - 1] <= data[i * 16 + k]);
    EXPECT(fibonaccis[i] == expected[i % 12]);
  }
  return passed();
}
