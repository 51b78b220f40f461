#include "cudart/array.h"

#include <algorithm>
#include <bit>

#include "cudart/state.h"

using namespace heddle::shim;

namespace {

constexpr size_t kRowPitch = 64;
constexpr size_t kFaces = 6;

// A cube has six square faces, and layers of an array are counted.
bool has_sense(const Extent& extent, unsigned flags) {
  if ((flags & Array::Cube) != 0) {
    if (extent.width != extent.height || extent.depth == 0) return false;
    return (flags & Array::Layered) != 0 ? extent.depth % kFaces == 0 : extent.depth == kFaces;
  }
  return (flags & Array::Layered) == 0 || extent.depth > 0;
}

Status make_array(State& state, std::unique_ptr<Array>& result, const ChannelFormat& format, Extent extent,
                  unsigned flags) {
  Array array{format, extent, flags, nullptr, 0};
  if (array.element() == 0 || extent.width == 0) return Status::InvalidChannelDescriptor;
  if (!has_sense(extent, flags)) return Status::InvalidValue;
  array.pitch = (array.row_bytes() + kRowPitch - 1) / kRowPitch * kRowPitch;
  const size_t slices = extent.depth == 0 ? 1 : extent.depth;
  const Status status =
      state.allocate(array.pitch * array.rows() * slices, MemoryKind::Device, "CUDA array", &array.pointer);
  if (status == Status::Success) result = std::make_unique<Array>(array);
  return status;
}

Status make_array(Array** result, const ChannelFormat& format, Extent extent, unsigned flags) {
  return gpu_api([&](State& state) {
    std::unique_ptr<Array> array;
    const Status status = make_array(state, array, format, extent, flags);
    if (status == Status::Success) *result = array.release();
    return status;
  });
}

Extent half_of(const Extent& extent, unsigned flags) {
  const auto half = [](size_t size) { return size == 0 ? 0 : std::max<size_t>(1, size / 2); };
  const bool layers = (flags & (Array::Layered | Array::Cube)) != 0;
  return {half(extent.width), half(extent.height), layers ? extent.depth : half(extent.depth)};
}

// As many as there are until all sizes are one.
unsigned most_levels(const Extent& extent, unsigned flags) {
  const bool layers = (flags & (Array::Layered | Array::Cube)) != 0;
  return static_cast<unsigned>(std::bit_width(std::max({extent.width, extent.height, layers ? 0 : extent.depth})));
}

Status release(State& state, const Mipmaps& mipmaps) {
  Status status = Status::Success;
  for (const auto& level : mipmaps.levels)
    if (const Status released = state.release(level->pointer); released != Status::Success) status = released;
  return status;
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

HEDDLE_API Status cudaMallocMipmappedArray(Mipmaps** result, const ChannelFormat* format, Extent extent,
                                           unsigned levels, unsigned flags) {
  return gpu_api([&](State& state) {
    if (!result || !format) return Status::InvalidValue;
    const unsigned count = std::clamp(levels, 1U, std::max(1U, most_levels(extent, flags)));
    auto mipmaps = std::make_unique<Mipmaps>();
    for (unsigned i = 0; i < count; ++i) {
      std::unique_ptr<Array> level;
      if (const Status status = make_array(state, level, *format, extent, flags); status != Status::Success) {
        release(state, *mipmaps);
        return status;
      }
      mipmaps->levels.push_back(std::move(level));
      extent = half_of(extent, flags);
    }
    *result = mipmaps.release();
    return Status::Success;
  });
}
HEDDLE_API Status cudaGetMipmappedArrayLevel(Array** level, const Mipmaps* mipmaps, unsigned number) {
  return api([&](State&) {
    if (!level || !mipmaps || number >= mipmaps->levels.size()) return Status::InvalidValue;
    *level = mipmaps->levels[number].get();
    return Status::Success;
  });
}
HEDDLE_API Status cudaFreeMipmappedArray(Mipmaps* mipmaps) {
  return gpu_api([&](State& state) {
    if (!mipmaps) return Status::Success;
    Status status = state.synchronize();
    if (status == Status::Success) status = release(state, *mipmaps);
    delete mipmaps;
    return status;
  });
}
