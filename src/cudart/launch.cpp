// Kernel launches: <<<>>> and by hand.
#include <algorithm>
#include <cstring>

#include "cudart/limits.h"
#include "cudart/stream.h"

using namespace heddle::shim;
using heddle::runtime::LaunchFacts;
using heddle::runtime::MessageWriter;
using heddle::runtime::Request;

namespace {

bool shape_is_possible(const Dimensions& grid, const Dimensions& block, const heddle::runtime::Machine& machine) {
  const uint64_t threads = uint64_t{block.x} * block.y * block.z;
  return grid.x > 0 && grid.y > 0 && grid.z > 0 && threads > 0 && threads <= max_block_threads(machine) &&
         block.x <= kMaxBlock.x && block.y <= kMaxBlock.y && block.z <= kMaxBlock.z && grid.x <= kMaxGrid.x &&
         grid.y <= kMaxGrid.y && grid.z <= kMaxGrid.z;
}

// What CUDA says at once, before anything runs: its version 13, where a shape that cannot be is an invalid value.
Status check(State& state, const Function& function, const LaunchShape& launch) {
  const auto& machine = state.simulator.machine();
  if (!shape_is_possible(launch.grid, launch.block, machine)) return Status::InvalidValue;
  const uint64_t shared = function.facts.static_shared + launch.dynamic_shared;
  const uint64_t allowed =
      std::max<uint64_t>(default_shared(machine), function.facts.static_shared + uint64_t{function.max_dynamic_shared});
  if (shared > allowed) return Status::InvalidValue;
  const uint64_t threads = uint64_t{launch.block.x} * launch.block.y * launch.block.z;
  if (function.facts.max_threads > 0 && threads > function.facts.max_threads) return Status::InvalidValue;
  const uint64_t rows = (threads + 31) / 32 * 32;
  if (rows * function.facts.registers <= machine.core_registers) return Status::Success;
  uint32_t fit = 0;  // registers may be no limit
  const Status status =
      occupancy(state, function, static_cast<uint32_t>(threads), static_cast<uint32_t>(launch.dynamic_shared), fit);
  return status == Status::Success && fit == 0 ? Status::LaunchOutOfResources : status;
}

Status check_cooperative(State& state, const Function& function, const LaunchShape& launch) {
  uint32_t fit = 0;
  const uint32_t threads = launch.block.x * launch.block.y * launch.block.z;
  const Status status = occupancy(state, function, threads, static_cast<uint32_t>(launch.dynamic_shared), fit);
  if (status != Status::Success) return status;
  const uint64_t blocks = uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  const bool fits = blocks <= uint64_t{fit} * state.simulator.machine().cores;
  return fits ? Status::Success : Status::CooperativeLaunchTooLarge;
}

Status find_and_check(State& state, const void* stub, const LaunchShape& launch, Function*& function) {
  function = state.function_of(stub);
  if (!function) return no_function(stub);
  Status status = state.find(*function);
  if (status == Status::Success) status = check(state, *function, launch);
  if (status == Status::Success && launch.cooperative) status = check_cooperative(state, *function, launch);
  return status;
}

Status launch_in(Stream* stream, const void* stub, const LaunchShape& shape, void** arguments) {
  if (!is_captured(stream)) return launch(stream, stub, shape, arguments);
  return with_stream(stream, [&](State& state) {
    KernelLaunch kernel{stub, shape, {}};
    const Status status = keep_arguments(state, kernel, arguments);
    if (status != Status::Success || stream->point.capture->broken)
      return status == Status::Success ? Status::StreamCaptureInvalidated : status;
    keep(*stream, std::move(kernel));
    return Status::Success;
  });
}

}  // namespace

namespace heddle::shim {

Status launch(const Stream* stream, const void* stub, const LaunchShape& shape, void** arguments) {
  return gpu_api([&](State& state) {
    Function* function = nullptr;
    const Status status = find_and_check(state, stub, shape, function);
    if (status != Status::Success) return status;
    std::string bytes(function->facts.parameter_bytes, '\0');
    for (size_t i = 0; i < function->parameters.size(); ++i)
      std::memcpy(bytes.data() + function->parameters[i].offset, arguments[i], function->parameters[i].bytes);
    const LaunchFacts facts{{shape.grid.x, shape.grid.y, shape.grid.z},
                            {shape.block.x, shape.block.y, shape.block.z},
                            static_cast<uint32_t>(shape.dynamic_shared),
                            shape.cooperative ? 1U : 0U};
    return state.tell(Request::Launch,
                      MessageWriter().add(number_of(stream)).add(function->number).add(facts).add_text(bytes));
  });
}

Status keep_arguments(State& state, KernelLaunch& kernel, void** arguments) {
  Function* function = nullptr;
  const Status status = find_and_check(state, kernel.stub, kernel.shape, function);
  if (status != Status::Success) return status;
  if (!arguments && !function->parameters.empty()) return Status::InvalidValue;
  kernel.arguments.clear();
  for (size_t i = 0; i < function->parameters.size(); ++i)
    kernel.arguments.emplace_back(static_cast<const char*>(arguments[i]), function->parameters[i].bytes);
  return Status::Success;
}

}  // namespace heddle::shim

HEDDLE_API unsigned __cudaPushCallConfiguration(Dimensions grid, Dimensions block, size_t dynamic_shared,
                                                Stream* stream) {
  this_thread().configurations.push_back({grid, block, dynamic_shared, stream});
  return 0;
}

HEDDLE_API Status __cudaPopCallConfiguration(Dimensions* grid, Dimensions* block, size_t* dynamic_shared,
                                             void* stream) {
  auto& waiting = this_thread().configurations;
  if (waiting.empty()) return Status::MissingConfiguration;
  *grid = waiting.back().grid;
  *block = waiting.back().block;
  *dynamic_shared = waiting.back().dynamic_shared;
  *static_cast<Stream**>(stream) = waiting.back().stream;
  waiting.pop_back();
  return Status::Success;
}

HEDDLE_API Status cudaLaunchKernel(const void* stub, Dimensions grid, Dimensions block, void** arguments,
                                   size_t dynamic_shared, Stream* stream) {
  return launch_in(stream, stub, {grid, block, dynamic_shared, false}, arguments);
}

HEDDLE_API Status cudaLaunchCooperativeKernel(const void* stub, Dimensions grid, Dimensions block, void** arguments,
                                              size_t dynamic_shared, Stream* stream) {
  return launch_in(stream, stub, {grid, block, dynamic_shared, true}, arguments);
}

HEDDLE_API Status cudaLaunchKernelExC(const LaunchConfiguration* configuration, const void* stub, void** arguments) {
  LaunchShape shape{configuration->grid, configuration->block, configuration->dynamic_shared, false};
  for (unsigned i = 0; i < configuration->attribute_count; ++i)
    if (configuration->attributes[i].id == kLaunchAttributeCooperative)
      shape.cooperative = configuration->attributes[i].value.cooperative != 0;
  return launch_in(configuration->stream, stub, shape, arguments);
}

// nvcc 13 keeps a handle of each kernel; ours is the kernel's entry itself.
HEDDLE_API Status __cudaGetKernel(Function** kernel, const void* stub) {
  return api([&](State& state) {
    *kernel = state.function_of(stub);
    return *kernel ? Status::Success : no_function(stub);
  });
}

HEDDLE_API Status __cudaLaunchKernel(Function* kernel, Dimensions grid, Dimensions block, void** arguments,
                                     size_t dynamic_shared, Stream* stream) {
  return launch_in(stream, kernel, {grid, block, dynamic_shared, false}, arguments);
}

HEDDLE_API Status cudaGetKernel(Function** kernel, const void* stub) { return __cudaGetKernel(kernel, stub); }
HEDDLE_API Status cudaGetFuncBySymbol(Function** kernel, const void* stub) { return __cudaGetKernel(kernel, stub); }
