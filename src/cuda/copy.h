// Copies as the driver API describes them.
#pragma once

#include "cudart/types.h"

namespace heddle::shim {

enum class MemoryType : int { Host = 1, Device = 2, Array = 3, Unified = 4 };  // CUmemorytype

struct DriverCopy3D {  // CUDA_MEMCPY3D
  struct End {
    size_t x, y, z, level;  // x in bytes
    MemoryType type;
    void *host, *device;
    Array* array;
    void* reserved;
    size_t pitch, height;
  } from, to;
  size_t width, height, depth;  // width in bytes
};

Status copy_of(const DriverCopy3D& given, Copy3D& copy);
DriverCopy3D description_of(const Copy3D& copy);

}  // namespace heddle::shim
