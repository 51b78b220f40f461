// What a program asks about its kernels by the driver API.
#include <algorithm>

#include "cuda/driver.h"
#include "cudart/limits.h"

using namespace heddle::shim;

namespace {

Status attribute_of(int* value, int attribute, const void* kernel) {
  FunctionAttributes all{};
  const Status status = cudaFuncGetAttributes(&all, kernel);
  if (status != Status::Success) return status;
  const int values[] = {all.max_threads,
                        static_cast<int>(all.shared_bytes),
                        static_cast<int>(all.constant_bytes),
                        static_cast<int>(all.local_bytes),
                        all.registers,
                        all.ptx_version,
                        all.binary_version,
                        all.cache_mode,
                        all.max_dynamic_shared,
                        all.carveout};
  constexpr int kLast = 15;  // from the carveout on: clusters, of which there are none
  if (attribute < 0 || attribute > kLast) return Status::InvalidValue;
  *value = static_cast<size_t>(attribute) < std::size(values) ? values[attribute] : 0;
  return Status::Success;
}

// Of all numbers of threads that are whole warps, the one that gives a core the most, and the largest of those.
Status best_block(int* grid, int* block, const void* kernel, size_t (*shared_of)(int), size_t shared, int limit) {
  int largest = 0, cores = 0, warp = 0;
  Status status = attribute_of(&largest, 0, kernel);
  if (status == Status::Success) status = cudaDeviceGetAttribute(&cores, 16, 0);
  if (status == Status::Success) status = cudaDeviceGetAttribute(&warp, 10, 0);
  if (limit > 0) largest = std::min(largest, limit);
  int best = 0;
  for (int threads = (largest + warp - 1) / warp * warp; threads > 0 && status == Status::Success; threads -= warp) {
    const int size = std::min(threads, largest);
    int fit = 0;
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, size, shared_of ? shared_of(size) : shared);
    if (fit * size <= best) continue;
    best = fit * size;
    *block = size;
    *grid = fit * cores;
  }
  return status;
}

}  // namespace

HEDDLE_API Status cuFuncGetAttribute(int* value, int attribute, const void* kernel) {
  return in_context([&] { return attribute_of(value, attribute, kernel); });
}
HEDDLE_API Status cuKernelGetAttribute(int* value, int attribute, const void* kernel, int) {
  return driver([&] { return attribute_of(value, attribute, kernel); });
}
HEDDLE_API Status cuKernelSetAttribute(int attribute, int value, const void* kernel, int) {
  return driver([&] { return cudaFuncSetAttribute(kernel, attribute, value); });
}
HEDDLE_API Status cuFuncIsLoaded(int* state, const void* kernel) {
  return driver([&] {
    *state = 1;
    const char* name = nullptr;
    return cudaFuncGetName(&name, kernel);
  });
}
HEDDLE_API Status cuOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* kernel, size_t (*shared_of)(int),
                                                   size_t shared, int limit) {
  return in_context([&] { return best_block(grid, block, kernel, shared_of, shared, limit); });
}
HEDDLE_API Status cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, const void* kernel,
                                                            size_t (*shared_of)(int), size_t shared, int limit,
                                                            unsigned) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, kernel, shared_of, shared, limit);
}
