// Two kernels between events, one that reads 4 MB and one that computes: prints the microseconds of each.
#include "check.h"

constexpr int kFloats = 1 << 20, kThreads = 1 << 14;

__global__ void add_up(const float* values, float* sums) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = thread; i < kFloats; i += kThreads) sum += values[i];
  sums[thread] = sum;
}

__global__ void multiply_add(float* values, float factor) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float a = values[thread], b = a + 1, c = a + 2, d = a + 3;
#pragma unroll 16
  for (int i = 0; i < 512; ++i) {
    a = a * factor + 1;
    b = b * factor + 1;
    c = c * factor + 1;
    d = d * factor + 1;
  }
  values[thread] = a + b + c + d;
}

int main() {
  float *values, *sums;
  CUDA(cudaMalloc(&values, kFloats * sizeof(float)));
  CUDA(cudaMalloc(&sums, kThreads * sizeof(float)));
  CUDA(cudaMemset(values, 0, kFloats * sizeof(float)));
  cudaEvent_t begin, middle, end;
  CUDA(cudaEventCreate(&begin));
  CUDA(cudaEventCreate(&middle));
  CUDA(cudaEventCreate(&end));
  CUDA(cudaEventRecord(begin));
  add_up<<<kThreads / 256, 256>>>(values, sums);
  CUDA(cudaEventRecord(middle));
  multiply_add<<<kThreads / 256, 256>>>(sums, 0.5f);
  CUDA(cudaEventRecord(end));
  CUDA(cudaEventSynchronize(end));
  float first = 0, second = 0, both = 0;
  CUDA(cudaEventElapsedTime(&first, begin, middle));
  CUDA(cudaEventElapsedTime(&second, middle, end));
  CUDA(cudaEventElapsedTime(&both, begin, end));
  EXPECT(first > 0 && second > 0 && both >= 0.999f * (first + second) && both <= 1.001f * (first + second));
  printf("%.6f\n%.6f\n", 1e3 * first, 1e3 * second);
  return passed();
}
