// Launches by the driver API: arguments one by one, or all in one buffer.
#include "cuda/driver.h"

using namespace heddle::shim;

namespace {

// What `extra` says, up to a null.
struct Buffer {
  char* bytes = nullptr;
  size_t size = 0;
};
Buffer buffer_of(void** extra) {
  constexpr uintptr_t kPointer = 1, kSize = 2;
  Buffer buffer;
  for (; *extra; extra += 2) {
    const auto what = reinterpret_cast<uintptr_t>(*extra);
    if (what == kPointer) buffer.bytes = static_cast<char*>(extra[1]);
    if (what == kSize) buffer.size = *static_cast<const size_t*>(extra[1]);
  }
  return buffer;
}

// Points to each argument inside the buffer.
Status unpack(const void* kernel, const Buffer& buffer, std::vector<void*>& arguments) {
  return gpu_api([&](State& state) {
    Function* const function = state.function_of(kernel);
    if (!function) return Status::InvalidResourceHandle;
    const Status status = state.find(*function);
    if (status != Status::Success) return status;
    if (buffer.size < function->facts.parameter_bytes) return Status::InvalidValue;
    for (const Function::Parameter& parameter : function->parameters)
      arguments.push_back(buffer.bytes + parameter.offset);
    return Status::Success;
  });
}

Status has_parameters(const void* kernel, bool& result) {
  return gpu_api([&](State& state) {
    Function* const function = state.function_of(kernel);
    if (!function) return Status::InvalidResourceHandle;
    const Status status = state.find(*function);
    result = !function->parameters.empty();
    return status;
  });
}

Status launch_kernel(const LaunchConfiguration& how, const void* kernel, void** arguments, void** extra) {
  if (!kernel) return Status::InvalidResourceHandle;
  if (arguments && extra) return Status::InvalidValue;
  std::vector<void*> unpacked;
  if (extra) {
    const Status status = unpack(kernel, buffer_of(extra), unpacked);
    if (status != Status::Success) return status;
    arguments = unpacked.data();
  } else if (!arguments) {
    bool wanted = false;
    const Status status = has_parameters(kernel, wanted);
    if (status != Status::Success || wanted) return status == Status::Success ? Status::InvalidValue : status;
  }
  return cudaLaunchKernelExC(&how, kernel, arguments);
}

struct DriverLaunch {  // CUlaunchConfig
  Dimensions grid, block;
  unsigned dynamic_shared;
  Stream* stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};

}  // namespace

HEDDLE_API Status cuLaunchKernel(const void* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,
                                 Stream* stream, void** arguments, void** extra) {
  return in_context([&] {
    return launch_kernel({{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_shared, stream, nullptr, 0},
                         kernel, arguments, extra);
  });
}
HEDDLE_API Status cuLaunchCooperativeKernel(const void* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                            unsigned block_x, unsigned block_y, unsigned block_z,
                                            unsigned dynamic_shared, Stream* stream, void** arguments) {
  return in_context([&] {
    LaunchAttribute cooperative{kLaunchAttributeCooperative, {}, {}};
    cooperative.value.cooperative = 1;
    return launch_kernel(
        {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_shared, stream, &cooperative, 1}, kernel,
        arguments, nullptr);
  });
}
HEDDLE_API Status cuLaunchKernelEx(const DriverLaunch* how, const void* kernel, void** arguments, void** extra) {
  return in_context([&] {
    if (!how) return Status::InvalidValue;
    return launch_kernel(
        {how->grid, how->block, how->dynamic_shared, how->stream, how->attributes, how->attribute_count}, kernel,
        arguments, extra);
  });
}
