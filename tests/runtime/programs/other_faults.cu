// Faults other than an address where nothing is; one process each, since a fault stays with its process. The program
// starts itself for each of them.
#include <cstring>
#include <string>

#include "check.h"

__global__ void misaligned(char* bytes) { *(int*)(bytes + 1) = 5; }
__global__ void trapped() {
#ifdef __CUDA_ARCH__
  __trap();
#endif
}
__global__ void null_read(const int* nowhere, int* out) { *out = *nowhere; }

static int child(const char* which) {
  char* bytes;
  CUDA(cudaMalloc(&bytes, 64));
  cudaError_t expected = cudaSuccess;
  if (!strcmp(which, "misaligned")) {
    misaligned<<<1, 1>>>(bytes);
    expected = cudaErrorMisalignedAddress;
  } else if (!strcmp(which, "trapped")) {
    trapped<<<1, 1>>>();
    expected = cudaErrorLaunchFailure;
  } else if (!strcmp(which, "null_read")) {
    null_read<<<1, 1>>>(nullptr, (int*)bytes);
    expected = cudaErrorIllegalAddress;
  }
  EXPECT(expected != cudaSuccess);
  EXPECT_ERROR(cudaDeviceSynchronize(), expected);
  EXPECT_ERROR(cudaDeviceSynchronize(), expected);
  return 0;
}

int main(int count, char** words) {
  if (count > 1) return child(words[1]);
  for (const char* which : {"misaligned", "trapped", "null_read"})
    EXPECT(system((std::string(words[0]) + " " + which).c_str()) == 0);
  return passed();
}
