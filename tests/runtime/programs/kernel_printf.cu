// printf from a kernel. What is printed is compared with kernel_printf.expected.
#include "check.h"

__global__ void report(float scale, const char* unused) {
  const int i = threadIdx.x;
  if (i == 0) printf("no arguments\n");
  if (i == 1) printf("int %d unsigned %u hex %#x char %c percent %%\n", -5, 4000000000u, 255, 'h');
  if (i == 2) printf("long %lld size %llu\n", -(1ll << 40), 1ull << 63);
  if (i == 3) printf("float %.3f exponent %e general %g\n", scale, 12345.678, 0.0001);
  if (i == 4) printf("string [%s] padded [%6d] [%-6d] [%06.2f]\n", "text", 42, 42, 3.14159);
  if (i == 5 && !unused) printf("null pointer is null\n");
}

__global__ void one_line_each() { printf("block %d thread %d\n", (int)blockIdx.x, (int)threadIdx.x); }

int main() {
  printf("before\n");
  report<<<1, 1>>>(0, nullptr);  // thread 0 only
  CUDA(cudaDeviceSynchronize());
  for (int i = 1; i < 6; ++i) {
    report<<<1, i + 1>>>(2.5f, nullptr);
    CUDA(cudaDeviceSynchronize());
    printf("--- %d\n", i);
  }
  one_line_each<<<1, 4>>>();
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
  return passed();
}
