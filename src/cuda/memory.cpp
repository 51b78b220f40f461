// Memory by the driver API, where it differs from the runtime's: allocating, filling, asking.
#include "cuda/driver.h"

using namespace heddle::shim;

namespace {

// What is not of one byte must be aligned.
template <class T>
Status fill_elements(void* to, size_t pitch, T value, size_t width, size_t height, Stream* stream) {
  if (reinterpret_cast<uintptr_t>(to) % sizeof(T) != 0 || (height > 1 && pitch % sizeof(T) != 0))
    return Status::InvalidValue;
  return fill_or_keep(stream, Fill{to, pitch, value, sizeof(T), width, height});
}
template <class T>
Status fill_now(void* to, size_t pitch, T value, size_t width, size_t height) {
  return in_context([&] {
    const Status status = fill_elements(to, pitch, value, width, height, nullptr);
    return status == Status::Success ? cudaStreamSynchronize(nullptr) : status;
  });
}
template <class T>
Status fill_later(void* to, size_t pitch, T value, size_t width, size_t height, Stream* stream) {
  return in_context([&] { return fill_elements(to, pitch, value, width, height, stream); });
}

}  // namespace

HEDDLE_API Status cuMemAlloc_v2(void** pointer, size_t bytes) {
  return in_context([&] { return bytes == 0 ? Status::InvalidValue : cudaMalloc(pointer, bytes); });
}
HEDDLE_API Status cuMemAllocPitch_v2(void** pointer, size_t* pitch, size_t width, size_t height, unsigned element) {
  return in_context([&] {
    if (element != 4 && element != 8 && element != 16) return Status::InvalidValue;
    return width == 0 || height == 0 ? Status::InvalidValue : cudaMallocPitch(pointer, pitch, width, height);
  });
}
HEDDLE_API Status cuMemGetAddressRange_v2(uint64_t* begin, size_t* bytes, const void* pointer) {
  return in_context([&] {
    return gpu_api([&](State& state) {
      uint64_t start = 0, size = 0;
      if (!state.range_at(pointer, start, size)) return Status::NotFound;
      if (begin) *begin = start;
      if (bytes) *bytes = size;
      return Status::Success;
    });
  });
}

HEDDLE_API Status cuMemsetD8_v2(void* to, uint8_t value, size_t count) { return fill_now(to, count, value, count, 1); }
HEDDLE_API Status cuMemsetD16_v2(void* to, uint16_t value, size_t count) {
  return fill_now(to, count * 2, value, count, 1);
}
HEDDLE_API Status cuMemsetD32_v2(void* to, uint32_t value, size_t count) {
  return fill_now(to, count * 4, value, count, 1);
}
HEDDLE_API Status cuMemsetD2D8_v2(void* to, size_t pitch, uint8_t value, size_t width, size_t height) {
  return fill_now(to, pitch, value, width, height);
}
HEDDLE_API Status cuMemsetD2D16_v2(void* to, size_t pitch, uint16_t value, size_t width, size_t height) {
  return fill_now(to, pitch, value, width, height);
}
HEDDLE_API Status cuMemsetD2D32_v2(void* to, size_t pitch, uint32_t value, size_t width, size_t height) {
  return fill_now(to, pitch, value, width, height);
}
HEDDLE_API Status cuMemsetD8Async(void* to, uint8_t value, size_t count, Stream* stream) {
  return fill_later(to, count, value, count, 1, stream);
}
HEDDLE_API Status cuMemsetD16Async(void* to, uint16_t value, size_t count, Stream* stream) {
  return fill_later(to, count * 2, value, count, 1, stream);
}
HEDDLE_API Status cuMemsetD32Async(void* to, uint32_t value, size_t count, Stream* stream) {
  return fill_later(to, count * 4, value, count, 1, stream);
}
HEDDLE_API Status cuMemsetD2D8Async(void* to, size_t pitch, uint8_t value, size_t width, size_t height,
                                    Stream* stream) {
  return fill_later(to, pitch, value, width, height, stream);
}
HEDDLE_API Status cuMemsetD2D16Async(void* to, size_t pitch, uint16_t value, size_t width, size_t height,
                                     Stream* stream) {
  return fill_later(to, pitch, value, width, height, stream);
}
HEDDLE_API Status cuMemsetD2D32Async(void* to, size_t pitch, uint32_t value, size_t width, size_t height,
                                     Stream* stream) {
  return fill_later(to, pitch, value, width, height, stream);
}
