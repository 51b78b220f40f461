// A program that ends by exit() with a code of its own, with work under way and nothing freed.
#include "check.h"

__global__ void fill(int* data) { data[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
  int* device;
  CUDA(cudaMalloc(&device, 256 * sizeof(int)));
  fill<<<2, 128>>>(device);
  puts("passed");
  exit(42);
}
