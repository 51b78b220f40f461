// What graphs have allocated.
#include "cudart/state.h"

using namespace heddle::shim;

// In use and reserved, each now and at most: all the same, since it is kept.
HEDDLE_API Status cudaDeviceGetGraphMemAttribute(int, int, void* value) {
  return gpu_api([&](State& state) {
    uint64_t bytes = 0;
    for (const auto& [address, allocation] : state.allocations)
      if (allocation.of_graph) bytes += allocation.bytes;
    *static_cast<uint64_t*>(value) = bytes;
    return Status::Success;
  });
}
HEDDLE_API Status cudaDeviceSetGraphMemAttribute(int, int, void*) { return Status::Success; }
HEDDLE_API Status cudaDeviceGraphMemTrim(int) { return Status::Success; }
