// What a program asks about its kernels, and sets on them.
#include "cudart/limits.h"
#include "cudart/state.h"

using namespace heddle::shim;
using heddle::runtime::MessageReader;
using heddle::runtime::MessageWriter;
using heddle::runtime::Request;

namespace {

constexpr int kMaxDynamicShared = 8, kCarveout = 9;  // attributes that can be set

template <class Body>
Status with_function(const void* stub, Body&& body) {
  return gpu_api([&](State& state) {
    Function* const function = state.function_of(stub);
    if (!function) return no_function(stub);
    const Status status = state.find(*function);
    return status == Status::Success ? body(state, *function) : status;
  });
}

Status blocks_per_core(int* blocks, const void* stub, int threads, size_t dynamic_shared) {
  if (!blocks || threads <= 0) return api([](State&) { return Status::InvalidValue; });
  return with_function(stub, [&](State& state, Function& function) {
    uint32_t fit = 0;
    const Status status =
        occupancy(state, function, static_cast<uint32_t>(threads), static_cast<uint32_t>(dynamic_shared), fit);
    *blocks = static_cast<int>(fit);
    return status;
  });
}

}  // namespace

namespace heddle::shim {

Status occupancy(State& state, const Function& function, uint32_t threads, uint32_t dynamic_shared, uint32_t& blocks) {
  std::string reply;
  blocks = 0;
  if (threads > max_block_threads(state.simulator.machine())) return Status::Success;
  const Status status = state.simulator.ask(
      Request::Occupancy, MessageWriter().add(function.number).add(threads).add(dynamic_shared), reply);
  if (status == Status::Success) blocks = MessageReader(reply).take<uint32_t>();
  return status;
}

}  // namespace heddle::shim

HEDDLE_API Status cudaFuncGetAttributes(FunctionAttributes* attributes, const void* stub) {
  return with_function(stub, [&](State& state, Function& function) {
    const auto& machine = state.simulator.machine();
    const uint32_t by_registers = machine.core_registers / std::max(1U, function.facts.registers) / 32 * 32;
    uint32_t threads = std::min(max_block_threads(machine), by_registers);
    if (function.facts.max_threads > 0) threads = std::min(threads, function.facts.max_threads);
    const uint32_t usual = default_shared(machine) - std::min(default_shared(machine), function.facts.static_shared);
    *attributes = {function.facts.static_shared,
                   function.facts.constant_bytes,
                   function.facts.local_bytes,
                   static_cast<int>(threads),
                   static_cast<int>(function.facts.registers),
                   static_cast<int>(function.facts.architecture),
                   static_cast<int>(machine.capability),
                   0,
                   static_cast<int>(std::max(usual, function.max_dynamic_shared)),
                   -1};
    return Status::Success;
  });
}

HEDDLE_API Status cudaFuncSetAttribute(const void* stub, int attribute, int value) {
  return with_function(stub, [&](State& state, Function& function) {
    if (attribute == kCarveout) return Status::Success;  // caches are the machine's
    if (attribute != kMaxDynamicShared || value < 0) return Status::InvalidValue;
    if (static_cast<uint32_t>(value) + function.facts.static_shared > most_shared(state.simulator.machine()))
      return Status::InvalidValue;
    function.max_dynamic_shared = static_cast<uint32_t>(value);
    return Status::Success;
  });
}

HEDDLE_API Status cudaFuncSetCacheConfig(const void* stub, int) {
  return with_function(stub, [](State&, Function&) { return Status::Success; });
}
HEDDLE_API Status cudaFuncSetSharedMemConfig(const void* stub, int) {
  return with_function(stub, [](State&, Function&) { return Status::Success; });
}
HEDDLE_API Status cudaFuncGetName(const char** name, const void* stub) {
  return with_function(stub, [&](State&, Function& function) {
    *name = function.name.c_str();
    return Status::Success;
  });
}
HEDDLE_API Status cudaFuncGetParamInfo(const void* stub, size_t index, size_t* offset, size_t* bytes) {
  return with_function(stub, [&](State&, Function& function) {
    if (index >= function.parameters.size()) return Status::InvalidValue;
    *offset = function.parameters[index].offset;
    if (bytes) *bytes = function.parameters[index].bytes;
    return Status::Success;
  });
}

HEDDLE_API Status cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int threads,
                                                                size_t dynamic_shared) {
  return blocks_per_core(blocks, stub, threads, dynamic_shared);
}
HEDDLE_API Status cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub, int threads,
                                                                         size_t dynamic_shared, unsigned) {
  return blocks_per_core(blocks, stub, threads, dynamic_shared);
}

HEDDLE_API Status cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* stub, int blocks, int threads) {
  if (blocks <= 0 || threads <= 0) return api([](State&) { return Status::InvalidValue; });
  return with_function(stub, [&](State& state, Function& function) {
    const uint32_t each = state.simulator.machine().core_shared / static_cast<uint32_t>(blocks);
    *bytes = each > function.facts.static_shared ? each - function.facts.static_shared : 0;
    return Status::Success;
  });
}
