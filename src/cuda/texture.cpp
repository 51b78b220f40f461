// Arrays and texture objects, in the structures of the driver API.
#include "cudart/texture.h"

#include "cuda/driver.h"
#include "cudart/array.h"

using namespace heddle::shim;

namespace {

struct ArrayShape {  // CUDA_ARRAY_DESCRIPTOR
  size_t width, height;
  int format;
  unsigned channels;
};
struct ArrayShape3D {  // CUDA_ARRAY3D_DESCRIPTOR
  size_t width, height, depth;
  int format;
  unsigned channels, flags;
};

struct DriverResource {  // CUDA_RESOURCE_DESC
  ResourceDescription::Kind kind;
  union {
    Array* array;
    Mipmaps* mipmaps;
    struct {
      void* pointer;
      int format;
      unsigned channels;
      size_t bytes;
    } linear;
    struct {
      void* pointer;
      int format;
      unsigned channels;
      size_t width, height, pitch;
    } pitched;
    int room[32];
  };
  unsigned flags;
};
struct DriverTexture {  // CUDA_TEXTURE_DESC
  int address[3], filter;
  unsigned flags, anisotropy;
  int mipmap_filter;
  float level_bias, least_level, greatest_level;
  float border[4];
  int reserved[12];
};
constexpr unsigned kReadAsInteger = 1, kNormalised = 2, kSrgb = 16, kSeamless = 64;  // flags of a texture

// CUarray_format: three kinds of element, and half a float.
struct Format {
  int number, kind, bits;
};
constexpr Format kFormats[] = {{0x01, 1, 8},  {0x02, 1, 16}, {0x03, 1, 32}, {0x08, 0, 8},
                               {0x09, 0, 16}, {0x0a, 0, 32}, {0x10, 2, 16}, {0x20, 2, 32}};

// Of no bits where there is no such format.
ChannelFormat channels_of(int number, unsigned channels) {
  for (const Format& format : kFormats)
    if (format.number == number) {
      const auto bits = [&](unsigned channel) { return channel < channels ? format.bits : 0; };
      return {bits(0), bits(1), bits(2), bits(3), format.kind};
    }
  return {};
}
int number_of_format(const ChannelFormat& channels) {
  for (const Format& format : kFormats)
    if (format.kind == channels.kind && format.bits == channels.x) return format.number;
  return 0;
}
unsigned count_of(const ChannelFormat& channels) {
  return 1U + (channels.y > 0 ? 1 : 0) + (channels.z > 0 ? 1 : 0) + (channels.w > 0 ? 1 : 0);
}

Status create_array(Array** array, const ArrayShape3D& shape) {
  const ChannelFormat format = channels_of(shape.format, shape.channels);
  return cudaMalloc3DArray(array, &format, {shape.width, shape.height, shape.depth}, shape.flags);
}

Status resource_of(const DriverResource& given, ResourceDescription& resource) {
  resource.kind = given.kind;
  switch (given.kind) {
    case ResourceDescription::OfArray: resource.array = given.array; return Status::Success;
    case ResourceDescription::OfLinear:
      resource.linear = {given.linear.pointer, channels_of(given.linear.format, given.linear.channels),
                         given.linear.bytes};
      return Status::Success;
    case ResourceDescription::OfPitched:
      resource.pitched = {given.pitched.pointer, channels_of(given.pitched.format, given.pitched.channels),
                          given.pitched.width, given.pitched.height, given.pitched.pitch};
      return Status::Success;
    case ResourceDescription::OfMipmaps: resource.mipmaps = given.mipmaps; return Status::Success;
  }
  return Status::InvalidValue;
}
ChannelFormat format_in(const ResourceDescription& resource) {
  if (resource.kind == ResourceDescription::OfArray) return resource.array->format;
  if (resource.kind == ResourceDescription::OfMipmaps) return resource.mipmaps->levels[0]->format;
  return resource.kind == ResourceDescription::OfLinear ? resource.linear.format : resource.pitched.format;
}

// Integers of up to 16 bits are read as fractions unless the flags say otherwise.
TextureDescription description_of(const DriverTexture& given, const ChannelFormat& format) {
  TextureDescription how{};
  for (int i = 0; i < 3; ++i) how.address[i] = given.address[i];
  for (int i = 0; i < 4; ++i) how.border[i] = given.border[i];
  how.filter = given.filter;
  how.read = (given.flags & kReadAsInteger) == 0 && format.kind != 2 && format.x <= 16 ? 1 : 0;
  how.srgb = (given.flags & kSrgb) != 0 ? 1 : 0;
  how.normalised = (given.flags & kNormalised) != 0 ? 1 : 0;
  how.seamless = (given.flags & kSeamless) != 0 ? 1 : 0;
  how.level_filter = given.mipmap_filter;
  how.level_bias = given.level_bias;
  how.least_level = given.least_level;
  how.greatest_level = given.greatest_level;
  return how;
}

}  // namespace

HEDDLE_API Status cuArray3DCreate_v2(Array** array, const ArrayShape3D* shape) {
  return in_context([&] { return array && shape ? create_array(array, *shape) : Status::InvalidValue; });
}
HEDDLE_API Status cuArrayCreate_v2(Array** array, const ArrayShape* shape) {
  return in_context([&] {
    if (!array || !shape) return Status::InvalidValue;
    return create_array(array, {shape->width, shape->height, 0, shape->format, shape->channels, 0});
  });
}
HEDDLE_API Status cuArray3DGetDescriptor_v2(ArrayShape3D* shape, const Array* array) {
  return in_context([&] {
    if (!shape || !array) return Status::InvalidResourceHandle;
    *shape = {array->extent.width,     array->extent.height, array->extent.depth, number_of_format(array->format),
              count_of(array->format), array->flags};
    return Status::Success;
  });
}
HEDDLE_API Status cuArrayGetDescriptor_v2(ArrayShape* shape, const Array* array) {
  return in_context([&] {
    if (!shape || !array) return Status::InvalidResourceHandle;
    *shape = {array->extent.width, array->extent.height, number_of_format(array->format), count_of(array->format)};
    return Status::Success;
  });
}

HEDDLE_API Status cuTexObjectCreate(uint64_t* object, const DriverResource* given, const DriverTexture* how,
                                    const void* view) {
  return in_context([&] {
    if (!object || !given || !how) return Status::InvalidValue;
    ResourceDescription resource{};
    const Status status = resource_of(*given, resource);
    if (status != Status::Success) return status;
    const TextureDescription description = description_of(*how, format_in(resource));
    return cudaCreateTextureObject(object, &resource, &description, view);
  });
}

HEDDLE_API Status cuMipmappedArrayCreate(Mipmaps** mipmaps, const ArrayShape3D* shape, unsigned levels) {
  return in_context([&] {
    if (!mipmaps || !shape) return Status::InvalidValue;
    const ChannelFormat format = channels_of(shape->format, shape->channels);
    return cudaMallocMipmappedArray(mipmaps, &format, {shape->width, shape->height, shape->depth}, levels,
                                    shape->flags);
  });
}
HEDDLE_API Status cuSurfObjectCreate(uint64_t* object, const DriverResource* given) {
  return in_context([&] {
    if (!object || !given) return Status::InvalidValue;
    ResourceDescription resource{};
    const Status status = resource_of(*given, resource);
    return status == Status::Success ? cudaCreateSurfaceObject(object, &resource) : status;
  });
}
