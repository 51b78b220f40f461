// What every program here shares: it ends with 0 and one last line "passed", or with 1 and a line that says which
// expectation did not hold. The expectations are those of CUDA, so that the programs pass on a real GPU too.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void fail(const char* file, int line, const char* what, const char* found) {
  fflush(stdout);
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, found);
  exit(1);
}

#define EXPECT(condition)                                               \
  do {                                                                  \
    if (!(condition)) fail(__FILE__, __LINE__, #condition, "is false"); \
  } while (0)

#define EXPECT_ERROR(call, expected)                                                     \
  do {                                                                                   \
    const cudaError_t found_ = (call);                                                   \
    if (found_ != (expected)) fail(__FILE__, __LINE__, #call, cudaGetErrorName(found_)); \
  } while (0)

#define CUDA(call) EXPECT_ERROR(call, cudaSuccess)

inline int passed() {
  puts("passed");
  return 0;
}
