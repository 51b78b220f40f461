// A kernel whose threads go different ways, over a few launches: what the mechanisms of the simulator are about.
#include <vector>

#include "check.h"

// Steps of the Collatz sequence until 1.
__global__ void collatz(const unsigned* start, int* steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned value = start[i];
  int count = 0;
  while (value != 1) {
    if (value % 2)
      value = 3 * value + 1;
    else
      value /= 2;
    ++count;
  }
  steps[i] = count;
}

static int steps_from(unsigned value) {
  int count = 0;
  for (; value != 1; ++count) value = value % 2 ? 3 * value + 1 : value / 2;
  return count;
}

int main(int count, char** words) {
  const int n = count > 1 ? atoi(words[1]) : 1024, launches = 3;
  std::vector<unsigned> start(n);
  std::vector<int> steps(n);
  unsigned* device_start;
  int* device_steps;
  CUDA(cudaMalloc(&device_start, n * sizeof(unsigned)));
  CUDA(cudaMalloc(&device_steps, n * sizeof(int)));
  for (int launch = 0; launch < launches; ++launch) {
    for (int i = 0; i < n; ++i) start[i] = 1 + (unsigned)(i * 31 + launch * 1009) % 5000;
    CUDA(cudaMemcpy(device_start, start.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    collatz<<<(n + 255) / 256, 256>>>(device_start, device_steps, n);
    CUDA(cudaMemcpy(steps.data(), device_steps, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) EXPECT(steps[i] == steps_from(start[i]));
  }
  return passed();
}
