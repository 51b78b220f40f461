// The one device, as the driver API describes it.
#include <cstdio>

#include "cuda/driver.h"
#include "cudart/error_table.h"
#include "cudart/limits.h"

using namespace heddle::shim;

namespace {

template <class Body>
Status with_device(int device, Body&& body) {
  return driver([&] {
    return gpu_api([&](State& state) {
      if (device != 0) return Status::InvalidDevice;
      body(state.simulator.machine());
      return Status::Success;
    });
  });
}

struct OldProperties {  // CUdevprop
  int block_threads, block[3], grid[3], shared, constants, warp, pitch, registers, clock, texture_alignment;
};

}  // namespace

HEDDLE_API Status cuDriverGetVersion(int* version) {
  return version ? cudaDriverGetVersion(version) : Status::InvalidValue;
}

HEDDLE_API Status cuGetErrorName(Status status, const char** name) {
  *name = error_entry(status).driver;
  return *name ? Status::Success : Status::InvalidValue;
}
HEDDLE_API Status cuGetErrorString(Status status, const char** text) {
  const auto& entry = error_entry(status);
  *text = entry.driver ? entry.text : nullptr;
  return *text ? Status::Success : Status::InvalidValue;
}

HEDDLE_API Status cuDeviceGet(int* device, int ordinal) {
  return with_device(ordinal, [&](const auto&) { *device = 0; });
}
HEDDLE_API Status cuDeviceGetName(char* name, int length, int device) {
  return with_device(
      device, [&](const auto& machine) { std::snprintf(name, static_cast<size_t>(length), "%s", machine.name); });
}
HEDDLE_API Status cuDeviceTotalMem_v2(size_t* bytes, int device) {
  return with_device(device, [&](const auto& machine) { *bytes = machine.memory_bytes; });
}
HEDDLE_API Status cuDeviceGetUuid(char* uuid, int device) {
  return with_device(device, [&](const auto&) { kUuid.copy(uuid, kUuid.size()); });
}
HEDDLE_API Status cuDeviceGetUuid_v2(char* uuid, int device) { return cuDeviceGetUuid(uuid, device); }
HEDDLE_API Status cuDeviceComputeCapability(int* major, int* minor, int device) {
  return with_device(device, [&](const auto& machine) {
    *major = static_cast<int>(machine.capability / 10);
    *minor = static_cast<int>(machine.capability % 10);
  });
}
HEDDLE_API Status cuDeviceGetProperties(OldProperties* properties, int device) {
  int* const values = &properties->block_threads;
  constexpr int kAttributes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};  // in this order
  for (size_t i = 0; i < std::size(kAttributes); ++i) {
    const Status status = driver([&] { return cudaDeviceGetAttribute(values + i, kAttributes[i], device); });
    if (status != Status::Success) return status;
  }
  return Status::Success;
}
HEDDLE_API Status cuDeviceGetExecAffinitySupport(int* supported, int, int device) {
  return with_device(device, [&](const auto&) { *supported = 0; });
}
