// Texture and surface objects: descriptors in GPU memory, which kernels name by their address.
#include "cudart/texture.h"

#include <algorithm>
#include <cstring>

#include "cudart/array.h"
#include "cudart/state.h"
#include "exec/texture_descriptor.h"

using namespace heddle::shim;
using heddle::ImageLevel;
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

uint64_t address_of(void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

ImageLevel image_of(const Array& array) {
  const auto size = [](size_t elements) { return static_cast<uint32_t>(elements); };
  return {address_of(array.pointer),  array.pitch,
          array.pitch * array.rows(), size(array.extent.width),
          size(array.extent.height),  size(array.extent.depth)};
}

bool set_array(TextureDescriptor& texture, const Array& array) {
  texture.level[0] = image_of(array);
  texture.layered = array.has_layers() ? 1 : 0;
  return set_format(texture, array.format);
}

bool set_image(TextureDescriptor& texture, const ResourceDescription& resource) {
  ImageLevel& image = texture.level[0];
  switch (resource.kind) {
    case ResourceDescription::OfArray: return set_array(texture, *resource.array);
    case ResourceDescription::OfMipmaps: {
      const auto& levels = resource.mipmaps->levels;
      texture.levels = static_cast<uint32_t>(std::min<size_t>(levels.size(), TextureDescriptor::kMostLevels));
      const bool known = set_array(texture, *levels[0]);
      for (uint32_t i = 1; i < texture.levels; ++i) texture.level[i] = image_of(*levels[i]);
      return known;
    }
    case ResourceDescription::OfLinear: {
      if (!set_format(texture, resource.linear.format)) return false;
      image.data = address_of(resource.linear.pointer);
      image.width = static_cast<uint32_t>(resource.linear.bytes / texture.element_bytes());
      return true;
    }
    case ResourceDescription::OfPitched:
      image.data = address_of(resource.pitched.pointer);
      image.pitch = resource.pitched.pitch;
      image.width = static_cast<uint32_t>(resource.pitched.width);
      image.height = static_cast<uint32_t>(resource.pitched.height);
      return set_format(texture, resource.pitched.format);
  }
  return false;
}

const Array* array_of(const ResourceDescription& resource) {
  if (resource.kind == ResourceDescription::OfArray) return resource.array;
  return resource.kind == ResourceDescription::OfMipmaps ? resource.mipmaps->levels[0].get() : nullptr;
}

// What is left out, in words, or null. Only descriptions of cubes are long enough to ask for seamless ones in all
// versions of CUDA.
const char* left_out(const ResourceDescription& resource, const TextureDescription& how, const void* view) {
  if (view) return "another view of an array";
  if (how.srgb) return "sRGB";
  const Array* const array = array_of(resource);
  const bool cube = array && (array->flags & Array::Cube) != 0;
  return cube && how.filter == 1 && how.seamless == 1 ? "filtering across the edges of a cube" : nullptr;
}

TextureDescriptor described(const TextureDescription& how) {
  TextureDescriptor texture;
  for (int k = 0; k < 3; ++k) texture.address[k] = static_cast<uint32_t>(how.address[k]);
  std::memcpy(texture.border, how.border, sizeof texture.border);
  texture.linear = how.filter == 1 ? 1 : 0;
  texture.normalised = how.normalised != 0 ? 1 : 0;
  texture.linear_levels = how.level_filter == 1 ? 1 : 0;
  texture.level_bias = how.level_bias;
  texture.least_level = how.least_level;
  texture.greatest_level = how.greatest_level;
  return texture;
}

Status make_object(State& state, const TextureDescriptor& texture, const char* label, uint64_t* object) {
  void* place = nullptr;
  const Status status = state.allocate(sizeof texture, MemoryKind::Device, label, &place);
  if (status != Status::Success) return status;
  std::memcpy(place, &texture, sizeof texture);
  *object = address_of(place);
  return Status::Success;
}

Status destroy_object(uint64_t object) {
  return gpu_api([&](State& state) {
    const Status status = state.synchronize();
    return status == Status::Success ? state.release(reinterpret_cast<void*>(object)) : status;
  });
}

}  // namespace

HEDDLE_API Status cudaCreateTextureObject(uint64_t* object, const ResourceDescription* resource,
                                          const TextureDescription* how, const void* view) {
  return gpu_api([&](State& state) {
    if (!object || !resource || !how) return Status::InvalidValue;
    if (const char* const what = left_out(*resource, *how, view)) {
      complain(std::string("warning: a texture object with ") + what + " is not supported; the program is told so");
      return Status::NotSupported;
    }
    if (resource->kind == ResourceDescription::OfMipmaps && !how->normalised) return Status::InvalidValue;
    TextureDescriptor texture = described(*how);
    if (!set_image(texture, *resource)) return Status::InvalidChannelDescriptor;
    texture.normalised_float = how->read == 1 && texture.kind != TextureDescriptor::Float ? 1 : 0;
    return make_object(state, texture, "texture object", object);
  });
}
HEDDLE_API Status cudaDestroyTextureObject(uint64_t object) { return destroy_object(object); }

HEDDLE_API Status cudaCreateSurfaceObject(uint64_t* object, const ResourceDescription* resource) {
  return gpu_api([&](State& state) {
    if (!object || !resource || resource->kind != ResourceDescription::OfArray || !resource->array ||
        (resource->array->flags & Array::SurfaceAccess) == 0)
      return Status::InvalidValue;
    TextureDescriptor surface;
    surface.magic = TextureDescriptor::kSurface;
    if (!set_image(surface, *resource)) return Status::InvalidChannelDescriptor;
    return make_object(state, surface, "surface object", object);
  });
}
HEDDLE_API Status cudaDestroySurfaceObject(uint64_t object) { return destroy_object(object); }
