// Events: elapsed time grows with the work between them; what an event without timing or without record answers.
#include "check.h"

__global__ void spin(int* sink, int rounds) {
  int value = threadIdx.x;
  for (int i = 0; i < rounds; ++i) value = value * 1664525 + 1013904223;
  sink[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static float time_of(int* sink, int rounds) {
  cudaEvent_t start, end;
  float milliseconds = -1;
  CUDA(cudaEventCreate(&start));
  CUDA(cudaEventCreate(&end));
  CUDA(cudaEventRecord(start, 0));
  spin<<<2, 64>>>(sink, rounds);
  CUDA(cudaEventRecord(end, 0));
  CUDA(cudaEventSynchronize(end));
  CUDA(cudaEventElapsedTime(&milliseconds, start, end));
  CUDA(cudaEventDestroy(start));
  CUDA(cudaEventDestroy(end));
  return milliseconds;
}

int main() {
  int* sink;
  CUDA(cudaMalloc(&sink, 128 * sizeof(int)));
  time_of(sink, 1);  // the first launch of a program takes longer
  const float little = time_of(sink, 16), much = time_of(sink, 65536);
  EXPECT(little > 0 && much > 4 * little);

  cudaEvent_t untimed, timed, never;
  float milliseconds = 0;
  CUDA(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  CUDA(cudaEventCreate(&timed));
  CUDA(cudaEventCreate(&never));
  CUDA(cudaEventQuery(never));  // nothing recorded is nothing to wait for
  CUDA(cudaEventSynchronize(never));
  CUDA(cudaEventRecord(untimed));
  CUDA(cudaEventRecord(timed));
  CUDA(cudaDeviceSynchronize());
  EXPECT_ERROR(cudaEventQuery(timed), cudaSuccess);
  EXPECT_ERROR(cudaEventElapsedTime(&milliseconds, untimed, timed), cudaErrorInvalidResourceHandle);
  EXPECT_ERROR(cudaEventElapsedTime(&milliseconds, never, timed), cudaErrorInvalidResourceHandle);
  CUDA(cudaEventElapsedTime(&milliseconds, timed, timed));
  EXPECT(milliseconds == 0);
  CUDA(cudaEventDestroy(untimed));
  CUDA(cudaEventDestroy(timed));
  CUDA(cudaEventDestroy(never));
  return passed();
}
