#include "cudart/array.h"

#include "cudart/state.h"

using namespace heddle::shim;

namespace {

constexpr size_t kRowPitch = 64;

Status make_array(Array** result, const ChannelFormat& format, Extent extent, unsigned flags) {
  return gpu_api([&](State& state) {
    Array array{format, extent, flags, nullptr, 0};
    if (array.element() == 0 || extent.width == 0) return Status::InvalidChannelDescriptor;
    array.pitch = (array.row_bytes() + kRowPitch - 1) / kRowPitch * kRowPitch;
    const size_t slices = extent.depth == 0 ? 1 : extent.depth;
    const Status status =
        state.allocate(array.pitch * array.rows() * slices, MemoryKind::Device, "CUDA array", &array.pointer);
    if (status == Status::Success) *result = new Array(array);
    return status;
  });
}

}  // namespace

HEDDLE_API Status cudaMallocArray(Array** array, const ChannelFormat* format, size_t width, size_t height,
                                  unsigned flags) {
  return make_array(array, *format, {width, height, 0}, flags);
}
HEDDLE_API Status cudaMalloc3DArray(Array** array, const ChannelFormat* format, Extent extent, unsigned flags) {
  return make_array(array, *format, extent, flags);
}
HEDDLE_API Status cudaFreeArray(Array* array) {
  return gpu_api([&](State& state) {
    if (!array) return Status::Success;
    Status status = state.synchronize();
    if (status == Status::Success) status = state.release(array->pointer);
    delete array;
    return status;
  });
}
HEDDLE_API Status cudaArrayGetInfo(ChannelFormat* format, Extent* extent, unsigned* flags, const Array* array) {
  if (format) *format = array->format;
  if (extent) *extent = array->extent;
  if (flags) *flags = array->flags;
  return Status::Success;
}
HEDDLE_API Status cudaGetChannelDesc(ChannelFormat* format, const Array* array) {
  *format = array->format;
  return Status::Success;
}
HEDDLE_API ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind) { return {x, y, z, w, kind}; }
