// The types of the CUDA runtime API, as far as the shim looks into them: their layout is what compiled programs hold.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/cuda_status.h"

// What programs call. Everything else in the shim is hidden from them.
#define HEDDLE_API extern "C" __attribute__((visibility("default")))

namespace heddle::shim {

using Status = runtime::CudaError;

struct Dimensions {  // dim3
  unsigned x, y, z;
};

enum class CopyKind : int { HostToHost = 0, HostToDevice = 1, DeviceToHost = 2, DeviceToDevice = 3, Default = 4 };
enum class MemoryKind : int { Unregistered = 0, Host = 1, Device = 2, Managed = 3 };

struct Stream;  // cudaStream_t; null, 1 and 2 are the default streams
struct Event;
struct Array;
struct Mipmaps;
struct Function;  // cudaKernel_t, cudaFunction_t

struct Extent {
  size_t width, height, depth;
};
struct Position {
  size_t x, y, z;
};
struct PitchedPointer {
  void* pointer;
  size_t pitch, width, height;
};
struct Copy3D {
  Array* from_array;
  Position from_at;
  PitchedPointer from;
  Array* to_array;
  Position to_at;
  PitchedPointer to;
  Extent extent;
  CopyKind kind;
};

struct ChannelFormat {
  int x, y, z, w;  // bits
  int kind;        // 0 signed, 1 unsigned, 2 float
};

// CUDA 12 and 13 have more fields behind these, which a program of CUDA 11 has no room for.
struct FunctionAttributes {
  size_t shared_bytes, constant_bytes, local_bytes;
  int max_threads, registers, ptx_version, binary_version, cache_mode, max_dynamic_shared, carveout;
};
struct PointerAttributes {
  MemoryKind kind;
  int device;
  void* device_pointer;
  void* host_pointer;
};

struct LaunchAttribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    int cooperative;
  } value;
};
struct LaunchConfiguration {
  Dimensions grid, block;
  size_t dynamic_shared;
  Stream* stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};
inline constexpr int kLaunchAttributeCooperative = 2;

}  // namespace heddle::shim
