// Memory pools. There is one heap: every pool is it, so that their attributes have nothing to say.
#include <map>

#include "cudart/api.h"

namespace heddle::shim {

struct Pool {
  std::map<int, uint64_t> attributes;  // as the program has set them
};

}  // namespace heddle::shim

using namespace heddle::shim;

namespace {

Pool usual;
constexpr int kFirstSize = 4;  // attributes below are switches, an int each; from here on sizes, 64 bits

Status give_usual(Pool** pool, int device) {
  return gpu_api([&](State&) {
    *pool = &usual;
    return device == 0 ? Status::Success : Status::InvalidDevice;
  });
}

}  // namespace

HEDDLE_API Status cudaDeviceGetDefaultMemPool(Pool** pool, int device) { return give_usual(pool, device); }
HEDDLE_API Status cudaDeviceGetMemPool(Pool** pool, int device) { return give_usual(pool, device); }
HEDDLE_API Status cudaDeviceSetMemPool(int, Pool*) { return Status::Success; }
HEDDLE_API Status cudaMemPoolTrimTo(Pool*, size_t) { return Status::Success; }
HEDDLE_API Status cudaMemPoolCreate(Pool** pool, const void*) {
  *pool = new Pool;
  return Status::Success;
}
HEDDLE_API Status cudaMemPoolDestroy(Pool* pool) {
  if (pool != &usual) delete pool;
  return Status::Success;
}
HEDDLE_API Status cudaMemPoolSetAttribute(Pool* pool, int attribute, const void* value) {
  return api([&](State&) {
    pool->attributes[attribute] = attribute < kFirstSize ? static_cast<uint64_t>(*static_cast<const int*>(value))
                                                         : *static_cast<const uint64_t*>(value);
    return Status::Success;
  });
}
HEDDLE_API Status cudaMemPoolGetAttribute(Pool* pool, int attribute, void* value) {
  return api([&](State&) {
    if (attribute < kFirstSize)
      *static_cast<int*>(value) = static_cast<int>(pool->attributes[attribute]);
    else
      *static_cast<uint64_t*>(value) = pool->attributes[attribute];
    return Status::Success;
  });
}
HEDDLE_API Status cudaMemPoolSetAccess(Pool*, const void*, size_t) { return Status::Success; }
HEDDLE_API Status cudaMemPoolGetAccess(int* access, Pool*, const void*) {
  *access = 3;  // reading and writing
  return Status::Success;
}
HEDDLE_API Status cudaMallocFromPoolAsync(void** pointer, size_t bytes, Pool*, Stream* stream) {
  return cudaMallocAsync(pointer, bytes, stream);
}
