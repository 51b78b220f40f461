#include "workloads/cuda/cuda_device.h"

#include <fmt/format.h>

#include <stdexcept>

namespace heddle::workloads {
namespace {

// For calls: recursion, and frames of functions that are not inlined. The driver's own limit is 1 KiB.
constexpr size_t kStackBytes = 16384;

void check(CUresult result, std::string_view what) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  cuGetErrorString(result, &text);
  throw std::runtime_error(fmt::format("{}: {}", what, text ? text : "unknown error"));
}

}  // namespace

CudaDevice::CudaDevice(int number) {
  check(cuInit(0), "no CUDA driver");
  check(cuDeviceGet(&device_, number), "no GPU");
  check(cuDevicePrimaryCtxRetain(&context_, device_), "no context");
  check(cuCtxSetCurrent(context_), "no context");
  check(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, kStackBytes), "stack size");
}

// Everything that was allocated and loaded goes with the context.
CudaDevice::~CudaDevice() {
  cuCtxSetCurrent(nullptr);
  cuDevicePrimaryCtxReset(device_);
  cuDevicePrimaryCtxRelease(device_);
}

std::string CudaDevice::name() const {
  char text[256] = "";
  check(cuDeviceGetName(text, sizeof text, device_), "no name");
  return text;
}

void CudaDevice::load(std::string_view name, std::string_view image) {
  const std::string terminated(image);  // PTX must end in a zero
  CUmodule module = nullptr;
  check(cuModuleLoadData(&module, terminated.data()), fmt::format("loading {}", name));
  modules_.push_back(module);
}

Address CudaDevice::allocate(size_t bytes, std::string_view label) {
  CUdeviceptr address = 0;
  const size_t at_least_one = bytes > 0 ? bytes : 1;
  check(cuMemAlloc(&address, at_least_one), fmt::format("allocating {}", label));
  check(cuMemsetD8(address, 0, at_least_one), fmt::format("clearing {}", label));
  return address;
}

void CudaDevice::free(Address address) { check(cuMemFree(address), "freeing"); }

void CudaDevice::write(Address to, const void* from, size_t bytes) {
  if (bytes > 0) check(cuMemcpyHtoD(to, from, bytes), "writing");
}

void CudaDevice::read(void* to, Address from, size_t bytes) {
  if (bytes > 0) check(cuMemcpyDtoH(to, from, bytes), "reading");
}

Address CudaDevice::symbol(std::string_view name) {
  CUdeviceptr address = 0;
  for (const CUmodule module : modules_)
    if (cuModuleGetGlobal(&address, nullptr, module, std::string(name).c_str()) == CUDA_SUCCESS) return address;
  throw std::runtime_error(fmt::format("no variable is called {}", name));
}

void CudaDevice::launch(std::string_view kernel, const LaunchShape& shape, const Arguments& arguments) {
  CUfunction function = nullptr;
  for (const CUmodule module : modules_)
    if (cuModuleGetFunction(&function, module, std::string(kernel).c_str()) == CUDA_SUCCESS) break;
  if (!function) throw std::runtime_error(fmt::format("no kernel is called {}", kernel));
  if (shape.dynamic_shared > 48 * 1024)  // more than that must be asked for
    check(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             static_cast<int>(shape.dynamic_shared)),
          "dynamic shared memory");
  std::vector<void*> values;
  for (const auto& value : arguments.values()) values.push_back(const_cast<std::byte*>(value.data()));
  const auto& [grid, block, shared, cooperative] = shape;
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = cooperative;
  CUlaunchConfig config = {grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, nullptr, &attribute, 1};
  check(cuLaunchKernelEx(&config, function, values.data(), nullptr), kernel);
  check(cuCtxSynchronize(), kernel);
}

}  // namespace heddle::workloads
