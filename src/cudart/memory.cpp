// Memory on the GPU: allocating, freeing, filling, asking.
#include <cstring>

#include "cudart/copy.h"
#include "cudart/host_memory.h"
#include "cudart/limits.h"
#include "cudart/stream.h"

using namespace heddle::shim;
using heddle::runtime::FillFacts;
using heddle::runtime::MessageWriter;
using heddle::runtime::Request;

namespace {

constexpr size_t kPitch = 512;

uint64_t unused_in(State& state) {
  const uint64_t all = state.simulator.machine().memory_bytes;
  return all - std::min(all, state.allocated);
}

Status allocate(State& state, void** pointer, uint64_t bytes, MemoryKind kind, const char* label) {
  if (!pointer) return Status::InvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return Status::Success;
  if (bytes > unused_in(state)) return Status::MemoryAllocation;
  return state.allocate(bytes, kind, label, pointer);
}

Status release(State& state, void* pointer) {
  if (!pointer) return Status::Success;
  // A graph has it again at its next launch.
  if (const Allocation* found = state.allocation_at(pointer); found && found->of_graph) return state.synchronize();
  // Kernels that are under way may still use it, and what they do to it must be found.
  const Status status = state.synchronize();
  return status == Status::Success ? state.release(pointer) : status;
}

// Done by the simulator in its turn where it has several launches in flight.
Status fill_in(State& state, const Stream* stream, const Block& block, unsigned value, unsigned element) {
  if (block.empty()) return Status::Success;
  if (!block.is_held(state)) return Status::InvalidValue;
  const size_t count = block.width / element;
  if (state.simulator.machine().launches > 1) {
    const FillFacts facts{reinterpret_cast<uint64_t>(block.pointer),
                          block.pitch,
                          block.slice,
                          count,
                          block.height,
                          block.depth,
                          value,
                          element};
    return state.tell(Request::Fill, MessageWriter().add(number_of(stream)).add(facts));
  }
  const Status status = wait_for(state, stream);
  if (status != Status::Success) return status;
  block.for_each_row([&](std::byte* row) {
    if (element == 1)
      std::memset(row, static_cast<int>(value), count);
    else
      for (size_t i = 0; i < count; ++i) std::memcpy(row + i * element, &value, element);
    state.tell_written(row, block.width);
  });
  return Status::Success;
}

Status fill(State& state, const Block& block, int value) {
  const Status status = fill_in(state, nullptr, block, static_cast<unsigned>(value) & 255, 1);
  return status == Status::Success ? wait_for(state, nullptr) : status;
}

Status pitched(State& state, PitchedPointer* result, size_t width, size_t height, size_t depth) {
  const size_t pitch = (width + kPitch - 1) / kPitch * kPitch;
  *result = {nullptr, pitch, width, height};
  return allocate(state, &result->pointer, pitch * height * depth, MemoryKind::Device, "cudaMallocPitch");
}

}  // namespace

namespace heddle::shim {

Status fill(State& state, const Fill& what, const Stream* stream) {
  if (what.element != 1 && what.element != 2 && what.element != 4) return Status::InvalidValue;
  return fill_in(state, stream, {what.to, what.width * what.element, what.pitch, what.height, 0, 1}, what.value,
                 what.element);
}

Status fill_or_keep(Stream* stream, const Fill& what) {
  if (is_captured(stream)) return keep(stream, what);
  return with_stream(stream, [&](State& state) { return fill(state, what, stream); });
}

Status graph_memory(void** pointer, size_t bytes) {
  return gpu_api([&](State& state) {
    const Status status = allocate(state, pointer, bytes, MemoryKind::Device, "memory of a graph");
    if (status == Status::Success && *pointer) state.allocations[reinterpret_cast<uint64_t>(*pointer)].of_graph = true;
    return status;
  });
}

}  // namespace heddle::shim

HEDDLE_API Status cudaMalloc(void** pointer, size_t bytes) {
  return gpu_api([&](State& state) { return allocate(state, pointer, bytes, MemoryKind::Device, "cudaMalloc"); });
}
HEDDLE_API Status cudaMallocManaged(void** pointer, size_t bytes, unsigned) {
  return gpu_api([&](State& state) {
    return bytes == 0 ? Status::InvalidValue
                      : allocate(state, pointer, bytes, MemoryKind::Managed, "cudaMallocManaged");
  });
}
HEDDLE_API Status cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return gpu_api([&](State& state) {
    PitchedPointer result{};
    const Status status = pitched(state, &result, width, height, 1);
    *pointer = result.pointer;
    *pitch = result.pitch;
    return status;
  });
}
HEDDLE_API Status cudaMalloc3D(PitchedPointer* result, Extent extent) {
  return gpu_api([&](State& state) { return pitched(state, result, extent.width, extent.height, extent.depth); });
}

HEDDLE_API Status cudaFree(void* pointer) {
  return gpu_api([&](State& state) { return release(state, pointer); });
}

HEDDLE_API Status cudaMallocAsync(void** pointer, size_t bytes, Stream* stream) {
  if (!is_captured(stream)) return cudaMalloc(pointer, bytes);
  const Status status = graph_memory(pointer, bytes);
  return status == Status::Success ? keep(stream, Allocate{*pointer, bytes}) : status;
}
HEDDLE_API Status cudaFreeAsync(void* pointer, Stream* stream) {
  return is_captured(stream) ? keep(stream, Release{pointer}) : cudaFree(pointer);
}

HEDDLE_API Status cudaMemGetInfo(size_t* unused, size_t* total) {
  return gpu_api([&](State& state) {
    *total = state.simulator.machine().memory_bytes;
    *unused = unused_in(state);
    return Status::Success;
  });
}

HEDDLE_API Status cudaMemset(void* pointer, int value, size_t bytes) {
  return gpu_api([&](State& state) { return fill(state, {pointer, bytes, bytes, 1, 0, 1}, value); });
}
HEDDLE_API Status cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return gpu_api([&](State& state) { return fill(state, {pointer, width, pitch, height, 0, 1}, value); });
}
HEDDLE_API Status cudaMemset3D(PitchedPointer to, int value, Extent extent) {
  return gpu_api([&](State& state) {
    return fill(state, {to.pointer, extent.width, to.pitch, extent.height, to.pitch * to.height, extent.depth}, value);
  });
}
HEDDLE_API Status cudaMemsetAsync(void* pointer, int value, size_t bytes, Stream* stream) {
  return fill_or_keep(stream, Fill{pointer, bytes, static_cast<unsigned>(value) & 255, 1, bytes, 1});
}
HEDDLE_API Status cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                                    Stream* stream) {
  return fill_or_keep(stream, Fill{pointer, pitch, static_cast<unsigned>(value) & 255, 1, width, height});
}
HEDDLE_API Status cudaMemset3DAsync(PitchedPointer to, int value, Extent extent, Stream*) {
  return cudaMemset3D(to, value, extent);
}

HEDDLE_API Status cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  return gpu_api([&](State& state) {
    void* const same = const_cast<void*>(pointer);
    const Allocation* allocation = state.allocation_at(pointer);
    MemoryKind kind = allocation ? allocation->kind : MemoryKind::Unregistered;
    if (const Variable* const variable = allocation ? nullptr : state.variable_at(pointer))
      kind = variable->managed ? MemoryKind::Managed : MemoryKind::Device;
    if (const auto moved = moved_at(pointer)) {
      *attributes = {moved->kind, 0, reinterpret_cast<void*>(moved->device), same};
      return Status::Success;
    }
    const bool host = kind != MemoryKind::Device, device = kind != MemoryKind::Unregistered;
    *attributes = {kind, device ? 0 : -2, device ? same : nullptr, host && device ? same : nullptr};
    return Status::Success;
  });
}
