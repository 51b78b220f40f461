// The one device: choosing it, waiting for it, its limits. Peers and profilers get harmless answers.
#include <cstdio>
#include <cstring>

#include "cudart/limits.h"
#include "cudart/stream.h"

using namespace heddle::shim;

namespace {

constexpr size_t kLimits[] = {1024, size_t{1} << 20, size_t{8} << 20, 2, 2048, 128, 0};  // by cudaLimit
size_t limits[std::size(kLimits)];                                                       // what the program has set

Status device_is(int device) { return device == 0 ? Status::Success : Status::InvalidDevice; }

// Is there a GPU? One that a kernel has brought down still counts.
Status present(State& state) { return state.lost() == Status::Success ? state.ready() : Status::Success; }

}  // namespace

HEDDLE_API Status cudaGetDeviceCount(int* count) {
  const Status status = api(present);
  *count = status == Status::Success ? 1 : 0;
  return status;
}
HEDDLE_API Status cudaGetDevice(int* device) {
  *device = this_thread().device;
  return Status::Success;
}
HEDDLE_API Status cudaSetDevice(int device) {
  return api([&](State& state) {
    const Status status = device_is(device);
    return status == Status::Success ? present(state) : status;
  });
}
HEDDLE_API Status cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
HEDDLE_API Status cudaChooseDevice(int* device, const void*) {
  *device = 0;
  return Status::Success;
}
HEDDLE_API Status cudaSetValidDevices(int*, int) { return Status::Success; }
HEDDLE_API Status cudaSetDeviceFlags(unsigned flags) {
  return api([&](State& state) {
    state.device_flags = flags;
    return Status::Success;
  });
}
HEDDLE_API Status cudaGetDeviceFlags(unsigned* flags) {
  return api([&](State& state) {
    *flags = state.device_flags | 8;  // host memory can be mapped
    return Status::Success;
  });
}

HEDDLE_API Status cudaDeviceSynchronize() {
  return gpu_api([](State& state) {
    const Status status = waiting_is_allowed(nullptr);
    return status == Status::Success ? state.synchronize() : status;
  });
}
HEDDLE_API Status cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
HEDDLE_API Status cudaDeviceReset() {
  const Status status = api([](State& state) { return state.reset(); });
  this_thread().last_error = Status::Success;
  return status;
}
HEDDLE_API Status cudaThreadExit() { return cudaDeviceReset(); }

HEDDLE_API Status cudaDeviceSetLimit(int limit, size_t value) {
  return gpu_api([&](State&) {
    if (limit < 0 || static_cast<size_t>(limit) >= std::size(limits)) return Status::UnsupportedLimit;
    limits[limit] = value;
    return Status::Success;
  });
}
HEDDLE_API Status cudaDeviceGetLimit(size_t* value, int limit) {
  return gpu_api([&](State&) {
    if (limit < 0 || static_cast<size_t>(limit) >= std::size(limits)) return Status::UnsupportedLimit;
    *value = limits[limit] > 0 ? limits[limit] : kLimits[limit];
    return Status::Success;
  });
}

HEDDLE_API Status cudaDeviceSetCacheConfig(int) { return Status::Success; }
HEDDLE_API Status cudaDeviceGetCacheConfig(int* configuration) {
  *configuration = 0;
  return Status::Success;
}
HEDDLE_API Status cudaDeviceSetSharedMemConfig(int) { return Status::Success; }
HEDDLE_API Status cudaDeviceGetSharedMemConfig(int* configuration) {
  *configuration = 1;  // banks of four bytes
  return Status::Success;
}
HEDDLE_API Status cudaCtxResetPersistingL2Cache() { return Status::Success; }

HEDDLE_API Status cudaDriverGetVersion(int* version) {
  *version = kVersion;
  return Status::Success;
}
HEDDLE_API Status cudaRuntimeGetVersion(int* version) {
  *version = kVersion;
  return Status::Success;
}

HEDDLE_API Status cudaDeviceGetPCIBusId(char* text, int length, int device) {
  std::snprintf(text, static_cast<size_t>(length), "0000:01:00.0");
  return device_is(device);
}
HEDDLE_API Status cudaDeviceGetByPCIBusId(int* device, const char*) {
  *device = 0;
  return Status::Success;
}

// There is no second device to be a peer.
HEDDLE_API Status cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = 0;
  return api([&](State&) { return device_is(device != 0 ? device : peer); });
}
HEDDLE_API Status cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return api([&](State&) { return peer == 0 ? Status::PeerAccessUnsupported : Status::InvalidDevice; });
}
HEDDLE_API Status cudaDeviceDisablePeerAccess(int peer) {
  return api([&](State&) { return peer == 0 ? Status::PeerAccessNotEnabled : Status::InvalidDevice; });
}

HEDDLE_API Status cudaProfilerStart() { return Status::Success; }
HEDDLE_API Status cudaProfilerStop() { return Status::Success; }

// Hints about where managed memory should be. It is in both places.
HEDDLE_API Status cudaMemAdvise() { return Status::Success; }
HEDDLE_API Status cudaMemAdvise_v2() { return Status::Success; }
HEDDLE_API Status cudaMemPrefetchAsync() { return Status::Success; }
HEDDLE_API Status cudaMemPrefetchAsync_v2() { return Status::Success; }
