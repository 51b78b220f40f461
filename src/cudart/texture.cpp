// Texture objects: descriptors in GPU memory, which kernels name by their address.
#include "cudart/texture.h"

#include <cstring>

#include "cudart/array.h"
#include "cudart/state.h"
#include "exec/texture_descriptor.h"

using namespace heddle::shim;
using heddle::TextureDescriptor;

namespace {

bool set_format(TextureDescriptor& texture, const ChannelFormat& format) {
  const int bits[] = {format.x, format.y, format.z, format.w};
  texture.bits = static_cast<uint32_t>(format.x);
  texture.kind = static_cast<uint32_t>(format.kind);
  for (const int each : bits) {
    if (each != 0 && each != format.x) return false;
    texture.channels += each != 0 ? 1 : 0;
  }
  return (format.x == 8 || format.x == 16 || format.x == 32) && format.kind >= 0 && format.kind <= 2;
}

bool set_image(TextureDescriptor& texture, const ResourceDescription& resource) {
  const auto address = [](void* pointer) { return reinterpret_cast<uint64_t>(pointer); };
  switch (resource.kind) {
    case ResourceDescription::OfArray: {
      const Array& array = *resource.array;
      texture.data = address(array.pointer);
      texture.pitch = array.pitch;
      texture.slice = array.pitch * array.rows();
      texture.width = static_cast<uint32_t>(array.extent.width);
      texture.height = static_cast<uint32_t>(array.extent.height);
      texture.depth = static_cast<uint32_t>(array.extent.depth);
      return set_format(texture, array.format);
    }
    case ResourceDescription::OfLinear: {
      if (!set_format(texture, resource.linear.format)) return false;
      texture.data = address(resource.linear.pointer);
      texture.width = static_cast<uint32_t>(resource.linear.bytes / (texture.bits / 8 * texture.channels));
      return true;
    }
    case ResourceDescription::OfPitched:
      texture.data = address(resource.pitched.pointer);
      texture.pitch = resource.pitched.pitch;
      texture.width = static_cast<uint32_t>(resource.pitched.width);
      texture.height = static_cast<uint32_t>(resource.pitched.height);
      return set_format(texture, resource.pitched.format);
    case ResourceDescription::OfMipmaps: break;
  }
  return false;
}

}  // namespace

HEDDLE_API Status cudaCreateTextureObject(uint64_t* object, const ResourceDescription* resource,
                                          const TextureDescription* how, const void* view) {
  return gpu_api([&](State& state) {
    if (!object || !resource || !how) return Status::InvalidValue;
    if (view || how->srgb || resource->kind == ResourceDescription::OfMipmaps) return Status::NotSupported;
    TextureDescriptor texture;
    if (!set_image(texture, *resource)) return Status::InvalidChannelDescriptor;
    for (int k = 0; k < 3; ++k) texture.address[k] = static_cast<uint32_t>(how->address[k]);
    std::memcpy(texture.border, how->border, sizeof texture.border);
    texture.linear = how->filter == 1 ? 1 : 0;
    texture.normalised_float = how->read == 1 && texture.kind != TextureDescriptor::Float ? 1 : 0;
    texture.normalised = how->normalised != 0 ? 1 : 0;
    void* place = nullptr;
    const Status status = state.allocate(sizeof texture, MemoryKind::Device, "texture object", &place);
    if (status != Status::Success) return status;
    std::memcpy(place, &texture, sizeof texture);
    *object = reinterpret_cast<uint64_t>(place);
    return Status::Success;
  });
}

HEDDLE_API Status cudaDestroyTextureObject(uint64_t object) {
  return gpu_api([&](State& state) {
    const Status status = state.synchronize();
    return status == Status::Success ? state.release(reinterpret_cast<void*>(object)) : status;
  });
}
