// Stands in for NVIDIA's CUDA runtime as nvcc puts it inside programs: all its functions are there, and none works
// without NVIDIA's driver.
namespace {

volatile int calls;

// Long enough to be a function that does something.
[[gnu::always_inline]] inline int refuse() {
  calls = calls + 1;
  calls = calls * 3 + 1;
  calls = calls % 1000;
  return 35;  // cudaErrorInsufficientDriver
}

}  // namespace

#define cudaGetDeviceProperties_v2 cudaOfAnotherVersion  // CUDA 13 has none
#define IMPLEMENTED(name) \
  extern "C" int name() { return refuse(); }
#define HARMLESS(name) IMPLEMENTED(name)
#define NOT_SUPPORTED(name) IMPLEMENTED(name)
#include "wire/cuda_functions.def"
