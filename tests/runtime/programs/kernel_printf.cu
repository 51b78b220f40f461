// printf from a kernel. What is printed is compared with kernel_printf.expected.
#include "check.h"

// One thread: in which order several print is nobody's promise.
__global__ void report(int i, float scale, const char* unused) {
  if (i == 0) printf("no arguments\n");
  if (i == 1) printf("int %d unsigned %u hex %#x char %c percent %%\n", -5, 4000000000u, 255, 'h');
  if (i == 2) printf("long %lld size %llu\n", -(1ll << 40), 1ull << 63);
  if (i == 3) printf("float %.3f exponent %e general %g\n", scale, 12345.678, 0.0001);
  if (i == 4) printf("string [%s] padded [%6d] [%-6d] [%06.2f]\n", "text", 42, 42, 3.14159);
  if (i == 5 && !unused) printf("null pointer is null\n");
}

__global__ void same_line() { printf("the same line\n"); }

int main() {
  CUDA(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));  // before the first kernel that prints
  printf("before\n");
  for (int i = 0; i < 6; ++i) {
    report<<<1, 1>>>(i, 2.5f, nullptr);
    CUDA(cudaDeviceSynchronize());
    printf("--- %d\n", i);
  }
  same_line<<<2, 2>>>();
  CUDA(cudaDeviceSynchronize());
  return passed();
}
