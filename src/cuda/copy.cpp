#include "cuda/copy.h"

#include "cuda/driver.h"
#include "cudart/array.h"

using namespace heddle::shim;

namespace {

struct DriverCopy2D {  // CUDA_MEMCPY2D
  struct End {
    size_t x, y;
    MemoryType type;
    void *host, *device;
    Array* array;
    size_t pitch;
  } from, to;
  size_t width, height;
};

DriverCopy3D::End in_3d(const DriverCopy2D::End& end) {
  return {end.x, end.y, 0, 0, end.type, end.host, end.device, end.array, nullptr, end.pitch, 0};
}
DriverCopy3D in_3d(const DriverCopy2D& copy) { return {in_3d(copy.from), in_3d(copy.to), copy.width, copy.height, 1}; }

void set_end(const DriverCopy3D::End& end, const DriverCopy3D& given, Array*& array, PitchedPointer& memory,
             Position& at) {
  at = {end.x, end.y, end.z};
  if (end.type == MemoryType::Array) {
    array = end.array;
    at.x /= array->element();
    return;
  }
  const size_t pitch = end.pitch > 0 ? end.pitch : given.width + end.x;
  memory = {end.type == MemoryType::Host ? end.host : end.device, pitch, pitch,
            end.height > 0 ? end.height : given.height + end.y};
}

bool makes_sense(const DriverCopy3D::End& end) {
  return end.level == 0 && end.type >= MemoryType::Host && end.type <= MemoryType::Unified &&
         (end.type != MemoryType::Array || end.array);
}

DriverCopy3D::End described(const Array* array, const PitchedPointer& memory, const Position& at) {
  if (array)
    return {at.x * array->element(),   at.y,    at.z, 0, MemoryType::Array, nullptr, nullptr,
            const_cast<Array*>(array), nullptr, 0,    0};
  return {at.x,    at.y,         at.z,         0, MemoryType::Unified, nullptr, memory.pointer, nullptr,
          nullptr, memory.pitch, memory.height};
}

template <class Given>
Status copy_with(const Given* given, Status (*perform)(const Copy3D&, Stream*), Stream* stream) {
  return in_context([&] {
    Copy3D copy{};
    if (!given) return Status::InvalidValue;
    Status status = Status::Success;
    if constexpr (std::is_same_v<Given, DriverCopy2D>)
      status = copy_of(in_3d(*given), copy);
    else
      status = copy_of(*given, copy);
    return status == Status::Success ? perform(copy, stream) : status;
  });
}
Status at_once(const Copy3D& copy, Stream*) { return cudaMemcpy3D(&copy); }
Status in_stream(const Copy3D& copy, Stream* stream) { return cudaMemcpy3DAsync(&copy, stream); }

Status copy_line(void* to, const void* from, size_t bytes, CopyKind kind) {
  return in_context([&] { return cudaMemcpy(to, from, bytes, kind); });
}
Status copy_line_in(void* to, const void* from, size_t bytes, CopyKind kind, Stream* stream) {
  return in_context([&] { return cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

// The bytes of an array from an offset on, as far as they are in one row: what the driver asks of the caller.
DriverCopy3D::End in_array(Array* array, size_t offset) {
  const size_t row = array ? array->row_bytes() : 1;
  return {offset % row, offset / row, 0, 0, MemoryType::Array, nullptr, nullptr, array, nullptr, 0, 0};
}
DriverCopy3D::End in_memory(const void* pointer) {
  return {0, 0, 0, 0, MemoryType::Unified, nullptr, const_cast<void*>(pointer), nullptr, nullptr, 0, 0};
}
Status copy_array(const DriverCopy3D::End& to, const DriverCopy3D::End& from, size_t bytes) {
  const DriverCopy3D copy{from, to, bytes, 1, 1};
  return copy_with(&copy, &at_once, nullptr);
}
Status copy_array_in(const DriverCopy3D::End& to, const DriverCopy3D::End& from, size_t bytes, Stream* stream) {
  const DriverCopy3D copy{from, to, bytes, 1, 1};
  return copy_with(&copy, &in_stream, stream);
}

}  // namespace

namespace heddle::shim {

// The runtime counts in elements where an array has to do with it.
Status copy_of(const DriverCopy3D& given, Copy3D& copy) {
  if (!makes_sense(given.from) || !makes_sense(given.to)) return Status::InvalidValue;
  set_end(given.from, given, copy.from_array, copy.from, copy.from_at);
  set_end(given.to, given, copy.to_array, copy.to, copy.to_at);
  const Array* const array = copy.from_array ? copy.from_array : copy.to_array;
  copy.extent = {given.width / (array ? array->element() : 1), given.height, given.depth};
  copy.kind = CopyKind::Default;
  return Status::Success;
}

DriverCopy3D description_of(const Copy3D& copy) {
  const Array* const array = copy.from_array ? copy.from_array : copy.to_array;
  return {described(copy.from_array, copy.from, copy.from_at), described(copy.to_array, copy.to, copy.to_at),
          copy.extent.width * (array ? array->element() : 1), copy.extent.height, copy.extent.depth};
}

}  // namespace heddle::shim

HEDDLE_API Status cuMemcpy(void* to, const void* from, size_t bytes) {
  return copy_line(to, from, bytes, CopyKind::Default);
}
HEDDLE_API Status cuMemcpyHtoD_v2(void* to, const void* from, size_t bytes) {
  return copy_line(to, from, bytes, CopyKind::HostToDevice);
}
HEDDLE_API Status cuMemcpyDtoH_v2(void* to, const void* from, size_t bytes) {
  return copy_line(to, from, bytes, CopyKind::DeviceToHost);
}
HEDDLE_API Status cuMemcpyDtoD_v2(void* to, const void* from, size_t bytes) {
  return copy_line(to, from, bytes, CopyKind::DeviceToDevice);
}
HEDDLE_API Status cuMemcpyPeer(void* to, Context*, const void* from, Context*, size_t bytes) {
  return copy_line(to, from, bytes, CopyKind::DeviceToDevice);
}
HEDDLE_API Status cuMemcpyAsync(void* to, const void* from, size_t bytes, Stream* stream) {
  return copy_line_in(to, from, bytes, CopyKind::Default, stream);
}
HEDDLE_API Status cuMemcpyHtoDAsync_v2(void* to, const void* from, size_t bytes, Stream* stream) {
  return copy_line_in(to, from, bytes, CopyKind::HostToDevice, stream);
}
HEDDLE_API Status cuMemcpyDtoHAsync_v2(void* to, const void* from, size_t bytes, Stream* stream) {
  return copy_line_in(to, from, bytes, CopyKind::DeviceToHost, stream);
}
HEDDLE_API Status cuMemcpyDtoDAsync_v2(void* to, const void* from, size_t bytes, Stream* stream) {
  return copy_line_in(to, from, bytes, CopyKind::DeviceToDevice, stream);
}
HEDDLE_API Status cuMemcpyPeerAsync(void* to, Context*, const void* from, Context*, size_t bytes, Stream* stream) {
  return copy_line_in(to, from, bytes, CopyKind::DeviceToDevice, stream);
}

HEDDLE_API Status cuMemcpy2D_v2(const DriverCopy2D* copy) { return copy_with(copy, &at_once, nullptr); }
HEDDLE_API Status cuMemcpy2DUnaligned_v2(const DriverCopy2D* copy) { return copy_with(copy, &at_once, nullptr); }
HEDDLE_API Status cuMemcpy2DAsync_v2(const DriverCopy2D* copy, Stream* stream) {
  return copy_with(copy, &in_stream, stream);
}
HEDDLE_API Status cuMemcpy3D_v2(const DriverCopy3D* copy) { return copy_with(copy, &at_once, nullptr); }
HEDDLE_API Status cuMemcpy3DAsync_v2(const DriverCopy3D* copy, Stream* stream) {
  return copy_with(copy, &in_stream, stream);
}

HEDDLE_API Status cuMemcpyHtoA_v2(Array* to, size_t offset, const void* from, size_t bytes) {
  return copy_array(in_array(to, offset), in_memory(from), bytes);
}
HEDDLE_API Status cuMemcpyAtoH_v2(void* to, Array* from, size_t offset, size_t bytes) {
  return copy_array(in_memory(to), in_array(from, offset), bytes);
}
HEDDLE_API Status cuMemcpyDtoA_v2(Array* to, size_t offset, const void* from, size_t bytes) {
  return copy_array(in_array(to, offset), in_memory(from), bytes);
}
HEDDLE_API Status cuMemcpyAtoD_v2(void* to, Array* from, size_t offset, size_t bytes) {
  return copy_array(in_memory(to), in_array(from, offset), bytes);
}
HEDDLE_API Status cuMemcpyAtoA_v2(Array* to, size_t to_offset, Array* from, size_t from_offset, size_t bytes) {
  return copy_array(in_array(to, to_offset), in_array(from, from_offset), bytes);
}
HEDDLE_API Status cuMemcpyHtoAAsync_v2(Array* to, size_t offset, const void* from, size_t bytes, Stream* stream) {
  return copy_array_in(in_array(to, offset), in_memory(from), bytes, stream);
}
HEDDLE_API Status cuMemcpyAtoHAsync_v2(void* to, Array* from, size_t offset, size_t bytes, Stream* stream) {
  return copy_array_in(in_memory(to), in_array(from, offset), bytes, stream);
}
