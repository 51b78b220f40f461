// cudaMemcpy and its family. GPU memory is mapped into the program, so that a copy is a copy.
#include "cudart/copy.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "cudart/array.h"
#include "cudart/stream.h"

using namespace heddle::shim;
using heddle::runtime::CopyFacts;
using heddle::runtime::MessageWriter;
using heddle::runtime::Request;

namespace {

uint64_t address_of(const Block& block) { return reinterpret_cast<uint64_t>(block.pointer); }
bool on_gpu(const State& state, const Block& block) { return state.simulator.in_memory(block.pointer); }

// What must be GPU memory is, and lies in one piece of it.
Status check(const State& state, const Block& to, const Block& from, CopyKind kind) {
  const bool to_device = kind == CopyKind::HostToDevice || kind == CopyKind::DeviceToDevice;
  const bool from_device = kind == CopyKind::DeviceToHost || kind == CopyKind::DeviceToDevice;
  if (kind < CopyKind::HostToHost || kind > CopyKind::Default) return Status::InvalidMemcpyDirection;
  if (!to.pointer || !from.pointer) return Status::InvalidValue;
  for (const auto& [block, device] : {std::pair(&to, to_device), std::pair(&from, from_device)}) {
    if (block->pitch < block->width) return block->height > 1 ? Status::InvalidPitchValue : Status::InvalidValue;
    if ((device || on_gpu(state, *block)) && !block->is_held(state)) return Status::InvalidValue;
  }
  return Status::Success;
}

// GPU memory has no pages until it is touched. Made one by one, as a large copy meets them, they would take longer than
// the copy.
void make_pages(const State& state, const Block& to) {
  constexpr uint64_t kLarge = uint64_t{1} << 20, kPage = 65536;  // the largest a page can be
  uint64_t begin = 0;
  const Allocation* const allocation = to.bytes() < kLarge ? nullptr : state.allocation_at(to.pointer, &begin);
  if (!allocation) return;
  const uint64_t from = reinterpret_cast<uint64_t>(to.pointer) - begin, end = from + to.bytes();
  if (end <= allocation->touched) return;
  const uint64_t first = (begin + std::max(from, allocation->touched) + kPage - 1) / kPage * kPage;
  const uint64_t last = (begin + end) / kPage * kPage;
  if (from <= allocation->touched) allocation->touched = end;
  if (last > first)
    madvise(reinterpret_cast<void*>(first), last - first, MADV_POPULATE_WRITE);  // or they are made later
}

Block line(const void* pointer, size_t bytes) { return {const_cast<void*>(pointer), bytes, bytes, 1, 0, 1}; }
Block plane(const void* pointer, size_t pitch, size_t width, size_t height) {
  return {const_cast<void*>(pointer), width, pitch, height, 0, 1};
}

// One end of a 3D copy. Widths of an array are in elements, of other memory in bytes.
Block end_of(const Array* array, const PitchedPointer& memory, const Position& at, size_t width, const Extent& extent) {
  if (array) {
    auto* const begin = static_cast<std::byte*>(array->pointer) + at.x * array->element() +
                        (at.z * array->rows() + at.y) * array->pitch;
    return {begin, width, array->pitch, extent.height, array->pitch * array->rows(), extent.depth};
  }
  auto* const begin = static_cast<std::byte*>(memory.pointer) + at.x + (at.z * memory.height + at.y) * memory.pitch;
  return {begin, width, memory.pitch, extent.height, memory.pitch * memory.height, extent.depth};
}

Status copy_3d(State& state, const Stream* stream, const Copy3D& what) {
  const Array* const array = what.from_array ? what.from_array : what.to_array;
  const size_t width = what.extent.width * (array ? array->element() : 1);
  return copy_in(state, stream, end_of(what.to_array, what.to, what.to_at, width, what.extent),
                 end_of(what.from_array, what.from, what.from_at, width, what.extent), what.kind);
}

Copy3D to_array_copy(Array* to, size_t x, size_t y, const void* from, size_t pitch, size_t width, size_t height,
                     CopyKind kind) {
  Copy3D copy = plane_copy(nullptr, 0, from, pitch, width / to->element(), height, kind);
  copy.to_array = to;
  copy.to_at = {x / to->element(), y, 0};
  return copy;
}
Copy3D from_array_copy(void* to, size_t pitch, const Array* from, size_t x, size_t y, size_t width, size_t height,
                       CopyKind kind) {
  Copy3D copy = plane_copy(to, pitch, nullptr, 0, width / from->element(), height, kind);
  copy.from_array = const_cast<Array*>(from);
  copy.from_at = {x / from->element(), y, 0};
  return copy;
}

Block part_of(const Array* array, size_t x, size_t y, size_t width, size_t height) {
  return plane(static_cast<std::byte*>(array->pointer) + y * array->pitch + x, array->pitch, width, height);
}

}  // namespace

namespace heddle::shim {

Copy3D plane_copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                  CopyKind kind) {
  Copy3D copy{};
  copy.from = {const_cast<void*>(from), from_pitch, width, height};
  copy.to = {to, to_pitch, width, height};
  copy.extent = {width, height, 1};
  copy.kind = kind;
  return copy;
}
Copy3D line_copy(void* to, const void* from, size_t bytes, CopyKind kind) {
  return plane_copy(to, bytes, from, bytes, bytes, 1, kind);
}

Status copy_in(State& state, const Stream* stream, const Block& to, const Block& from, CopyKind kind) {
  if (to.empty()) return Status::Success;
  Status status = check(state, to, from, kind);
  if (status != Status::Success) return status;
  if (on_gpu(state, to)) make_pages(state, to);
  if (state.simulator.machine().launches > 1 && on_gpu(state, to) && on_gpu(state, from)) {
    const CopyFacts facts{address_of(to), to.pitch, to.slice,  address_of(from), from.pitch,
                          from.slice,     to.width, to.height, to.depth};
    return state.tell(Request::Copy, MessageWriter().add(number_of(stream)).add(facts));
  }
  status = wait_for(state, stream);
  if (status != Status::Success) return status;
  const bool written = on_gpu(state, to), fetched = on_gpu(state, from) && !written;
  for (size_t z = 0; z < to.depth; ++z)
    for (size_t y = 0; y < to.height; ++y) {
      std::byte* const row = static_cast<std::byte*>(to.pointer) + z * to.slice + y * to.pitch;
      const auto* const source = static_cast<const std::byte*>(from.pointer) + z * from.slice + y * from.pitch;
      std::memmove(row, source, to.width);
      if (written) state.tell_written(row, to.width);
      if (fetched) status = state.tell_fetched(source, to.width);
    }
  return status;
}

Status copy(State& state, const Block& to, const Block& from, CopyKind kind) {
  const Status status = copy_in(state, nullptr, to, from, kind);
  return status == Status::Success ? wait_for(state, nullptr) : status;
}

}  // namespace heddle::shim

HEDDLE_API Status cudaMemcpy(void* to, const void* from, size_t bytes, CopyKind kind) {
  return gpu_api([&](State& state) { return copy(state, line(to, bytes), line(from, bytes), kind); });
}
HEDDLE_API Status cudaMemcpyAsync(void* to, const void* from, size_t bytes, CopyKind kind, Stream* stream) {
  if (is_captured(stream)) return keep(stream, line_copy(to, from, bytes, kind));
  return with_stream(stream,
                     [&](State& state) { return copy_in(state, stream, line(to, bytes), line(from, bytes), kind); });
}
HEDDLE_API Status cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return cudaMemcpy(to, from, bytes, CopyKind::DeviceToDevice);
}
HEDDLE_API Status cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, Stream* stream) {
  return cudaMemcpyAsync(to, from, bytes, CopyKind::DeviceToDevice, stream);
}

HEDDLE_API Status cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                               size_t height, CopyKind kind) {
  return gpu_api([&](State& state) {
    return copy(state, plane(to, to_pitch, width, height), plane(from, from_pitch, width, height), kind);
  });
}
HEDDLE_API Status cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                    size_t height, CopyKind kind, Stream* stream) {
  if (is_captured(stream)) return keep(stream, plane_copy(to, to_pitch, from, from_pitch, width, height, kind));
  return with_stream(stream, [&](State& state) {
    return copy_in(state, stream, plane(to, to_pitch, width, height), plane(from, from_pitch, width, height), kind);
  });
}

HEDDLE_API Status cudaMemcpy3D(const Copy3D* what) {
  return gpu_api([&](State& state) {
    const Status status = copy_3d(state, nullptr, *what);
    return status == Status::Success ? wait_for(state, nullptr) : status;
  });
}
HEDDLE_API Status cudaMemcpy3DAsync(const Copy3D* what, Stream* stream) {
  if (is_captured(stream)) return keep(stream, *what);
  return with_stream(stream, [&](State& state) { return copy_3d(state, stream, *what); });
}

HEDDLE_API Status cudaMemcpy2DToArray(Array* to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                      size_t height, CopyKind kind) {
  return gpu_api([&](State& state) {
    return copy(state, part_of(to, x, y, width, height), plane(from, pitch, width, height), kind);
  });
}
HEDDLE_API Status cudaMemcpy2DToArrayAsync(Array* to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                           size_t height, CopyKind kind, Stream* stream) {
  if (is_captured(stream)) return keep(stream, to_array_copy(to, x, y, from, pitch, width, height, kind));
  return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}
HEDDLE_API Status cudaMemcpy2DFromArray(void* to, size_t pitch, const Array* from, size_t x, size_t y, size_t width,
                                        size_t height, CopyKind kind) {
  return gpu_api([&](State& state) {
    return copy(state, plane(to, pitch, width, height), part_of(from, x, y, width, height), kind);
  });
}
HEDDLE_API Status cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, const Array* from, size_t x, size_t y,
                                             size_t width, size_t height, CopyKind kind, Stream* stream) {
  if (is_captured(stream)) return keep(stream, from_array_copy(to, pitch, from, x, y, width, height, kind));
  return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
}

HEDDLE_API Status cudaMemcpy2DArrayToArray(Array* to, size_t to_x, size_t to_y, const Array* from, size_t from_x,
                                           size_t from_y, size_t width, size_t height, CopyKind kind) {
  return gpu_api([&](State& state) {
    return copy(state, part_of(to, to_x, to_y, width, height), part_of(from, from_x, from_y, width, height), kind);
  });
}

// Several copies at once. Their attributes say when the sources may be read, which is now.
HEDDLE_API Status cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* bytes, size_t count,
                                       const void*, const size_t*, size_t, Stream* stream) {
  for (size_t i = 0; i < count; ++i) {
    const Status status = cudaMemcpyAsync(to[i], from[i], bytes[i], CopyKind::Default, stream);
    if (status != Status::Success) return status;
  }
  return Status::Success;
}

// Rows of an array one after another, from (x, y) on.
HEDDLE_API Status cudaMemcpyToArray(Array* to, size_t x, size_t y, const void* from, size_t bytes, CopyKind kind) {
  const size_t row = to->row_bytes();
  return cudaMemcpy2DToArray(to, x, y, from, row, bytes < row ? bytes : row, bytes < row ? 1 : bytes / row, kind);
}
HEDDLE_API Status cudaMemcpyFromArray(void* to, const Array* from, size_t x, size_t y, size_t bytes, CopyKind kind) {
  const size_t row = from->row_bytes();
  return cudaMemcpy2DFromArray(to, row, from, x, y, bytes < row ? bytes : row, bytes < row ? 1 : bytes / row, kind);
}
HEDDLE_API Status cudaMemcpyToArrayAsync(Array* to, size_t x, size_t y, const void* from, size_t bytes, CopyKind kind,
                                         Stream*) {
  return cudaMemcpyToArray(to, x, y, from, bytes, kind);
}
HEDDLE_API Status cudaMemcpyFromArrayAsync(void* to, const Array* from, size_t x, size_t y, size_t bytes, CopyKind kind,
                                           Stream*) {
  return cudaMemcpyFromArray(to, from, x, y, bytes, kind);
}
