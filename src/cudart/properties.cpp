// Properties of the configured machine. CUDA 13 took fields out of the structure and kept the function's name, so that
// the name has three versions, and a program gets the one it was linked with (cudart.map).
#include "cudart/properties.h"

#include <cstring>

#include "cudart/limits.h"
#include "cudart/state.h"

using namespace heddle::shim;

namespace {

constexpr int kTextureWidth = 131072, kTextureHeight = 65536, kTextureDepth = 16384;

// The fields all versions have. Fields that are not named are 0: no such thing.
template <class Properties>
void describe(Properties& p, const heddle::runtime::Machine& machine) {
  const auto shared = static_cast<size_t>(default_shared(machine));
  std::memcpy(p.name, machine.name, sizeof p.name);
  kUuid.copy(p.uuid.bytes, sizeof p.uuid.bytes);
  p.totalGlobalMem = machine.memory_bytes;
  p.sharedMemPerBlock = shared;
  p.regsPerBlock = static_cast<int>(machine.core_registers);
  p.warpSize = static_cast<int>(machine.warp_size);
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = static_cast<int>(max_block_threads(machine));
  for (int i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = static_cast<int>((&kMaxBlock.x)[i]);
    p.maxGridSize[i] = static_cast<int>((&kMaxGrid.x)[i]);
  }
  p.totalConstMem = 65536;
  p.major = static_cast<int>(machine.capability / 10);
  p.minor = static_cast<int>(machine.capability % 10);
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = static_cast<int>(machine.cores);
  p.canMapHostMemory = 1;
  p.maxTexture1D = p.maxTexture2D[0] = p.maxTexture2DLinear[0] = kTextureWidth;
  p.maxTexture2D[1] = p.maxTexture2DLinear[1] = kTextureHeight;
  for (int& size : p.maxTexture3D) size = kTextureDepth;
  p.concurrentKernels = 1;
  p.pciBusID = 1;
  p.asyncEngineCount = 2;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = static_cast<int>(machine.memory_bus_bits);
  p.l2CacheSize = static_cast<int>(machine.l2_bytes);
  p.maxThreadsPerMultiProcessor = static_cast<int>(machine.core_threads);
  p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = machine.core_shared;
  p.sharedMemPerBlockOptin = most_shared(machine);
  p.reservedSharedMemPerBlock = machine.shared_reserved;
  p.regsPerMultiprocessor = static_cast<int>(machine.core_registers);
  p.managedMemory = p.concurrentManagedAccess = p.cooperativeLaunch = p.directManagedMemAccessFromHost = 1;
  p.maxBlocksPerMultiProcessor = static_cast<int>(machine.core_blocks);
}

template <class Properties>
Status properties(Properties* result, int device) {
  return gpu_api([&](State& state) {
    if (device != 0) return Status::InvalidDevice;
    const auto& machine = state.simulator.machine();
    *result = {};
    describe(*result, machine);
    if constexpr (requires { result->clockRate; }) {
      result->clockRate = static_cast<int>(machine.core_clock * 1000);
      result->memoryClockRate = static_cast<int>(machine.memory_clock * 1000);
      result->deviceOverlap = 1;
      result->singleToDoublePrecisionPerfRatio = 2;
    } else {
      result->hostRegisterSupported = result->memoryPoolsSupported = 1;
    }
    return Status::Success;
  });
}

int attribute_of(int attribute, const Properties11& p, bool& known) {
  known = true;
  switch (attribute) {
    case 1: return p.maxThreadsPerBlock;
    case 2:
    case 3:
    case 4: return p.maxThreadsDim[attribute - 2];
    case 5:
    case 6:
    case 7: return p.maxGridSize[attribute - 5];
    case 8: return static_cast<int>(p.sharedMemPerBlock);
    case 9: return static_cast<int>(p.totalConstMem);
    case 10: return p.warpSize;
    case 11: return static_cast<int>(p.memPitch);
    case 12: return p.regsPerBlock;
    case 13: return p.clockRate;
    case 14: return static_cast<int>(p.textureAlignment);
    case 15: return p.deviceOverlap;
    case 16: return p.multiProcessorCount;
    case 19: return p.canMapHostMemory;
    case 21: return p.maxTexture1D;
    case 22:
    case 23: return p.maxTexture2D[attribute - 22];
    case 24:
    case 25:
    case 26: return p.maxTexture3D[attribute - 24];
    case 31: return p.concurrentKernels;
    case 33: return p.pciBusID;
    case 36: return p.memoryClockRate;
    case 37: return p.memoryBusWidth;
    case 38: return p.l2CacheSize;
    case 39: return p.maxThreadsPerMultiProcessor;
    case 40: return p.asyncEngineCount;
    case 41: return p.unifiedAddressing;
    case 51: return static_cast<int>(p.texturePitchAlignment);
    case 75: return p.major;
    case 76: return p.minor;
    case 78: return p.streamPrioritiesSupported;
    case 79: return p.globalL1CacheSupported;
    case 80: return p.localL1CacheSupported;
    case 81: return static_cast<int>(p.sharedMemPerMultiprocessor);
    case 82: return p.regsPerMultiprocessor;
    case 83: return p.managedMemory;
    case 87: return p.singleToDoublePrecisionPerfRatio;
    case 89: return p.concurrentManagedAccess;
    case 95: return p.cooperativeLaunch;
    case 97: return static_cast<int>(p.sharedMemPerBlockOptin);
    case 99: return 1;  // cudaHostRegister works
    case 101: return p.directManagedMemAccessFromHost;
    case 106: return p.maxBlocksPerMultiProcessor;
    case 111: return static_cast<int>(p.reservedSharedMemPerBlock);
    case 115: return 1;                                           // cudaMallocAsync works
    default: known = attribute > 0 && attribute < 150; return 0;  // no such thing
  }
}

}  // namespace

HEDDLE_API Status heddle_properties_11(Properties11* result, int device) { return properties(result, device); }
HEDDLE_API Status heddle_properties_12(Properties11* result, int device) { return properties(result, device); }
HEDDLE_API Status heddle_properties_13(Properties13* result, int device) { return properties(result, device); }
__asm__(".symver heddle_properties_11, cudaGetDeviceProperties@libcudart.so.11.0");
__asm__(".symver heddle_properties_12, cudaGetDeviceProperties@libcudart.so.12");
__asm__(".symver heddle_properties_13, cudaGetDeviceProperties@@libcudart.so.13");

// CUDA 12's own: the structure of CUDA 11, and more behind it.
HEDDLE_API Status cudaGetDeviceProperties_v2(Properties11* result, int device) {
  constexpr size_t kBytes = 1032;
  std::memset(reinterpret_cast<char*>(result) + sizeof *result, 0, kBytes - sizeof *result);
  return properties(result, device);
}

HEDDLE_API Status cudaDeviceGetAttribute(int* value, int attribute, int device) {
  Properties11 p;
  Status status = properties(&p, device);
  if (status != Status::Success) return status;
  bool known = false;
  *value = attribute_of(attribute, p, known);
  return known ? status : api([](State&) { return Status::InvalidValue; });
}
