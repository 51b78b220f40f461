// Surfaces, and what can be asked of an image. An access to a surface is decoded into the address that its coordinates
// mean and a plain load or store (decode_image.cpp).
#include <fmt/format.h>

#include <algorithm>

#include "exec/handlers.h"
#include "exec/texture.h"

namespace heddle {
namespace {

// One coordinate, of which `room` values are inside. False: outside, where that is no access at all.
bool limit(Context& context, const Instruction& i, Hw thread, int64_t room, int64_t& at) {
  if (at >= 0 && at < room) return true;
  if (i.has(Mod::TrapOutside))
    throw context.fault(thread,
                        fmt::format("surface access outside: coordinate {} of {}", at, std::max<int64_t>(0, room)),
                        Fault::Kind::Address);
  at = std::clamp<int64_t>(at, 0, std::max<int64_t>(0, room - 1));
  return i.has(Mod::Clamp);
}

// Sources: the handle, the layer where there is one, x in bytes, y, z. Results: the address, and whether there is one.
void surface_address(Context& context, const Instruction& i, const Lanes& lanes) {
  const int64_t bytes = int64_t{bytes_of(i.type)} * i.vector;
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    const TextureDescriptor& surface =
        image_at(context, thread, context.get_bits(i.src[0], thread), TextureDescriptor::kSurface);
    const ImageLevel& image = surface.level[0];
    unsigned next = 1;
    const auto number = [&] { return int64_t{static_cast<int32_t>(context.get_bits(i.src[next++], thread))}; };
    int64_t at[3] = {};
    if (is_layered(i)) at[2] = number();
    for (unsigned d = 0; d < coordinates_of(i); ++d) at[d] = number();
    const int64_t room[] = {int64_t{image.width} * surface.element_bytes() - bytes + 1, std::max(1U, image.height),
                            std::max(1U, image.depth)};
    bool inside = room[0] > 0;
    for (unsigned d = 0; d < 3; ++d) inside = limit(context, i, thread, room[d], at[d]) && inside;
    context.set_bits(i.dst[0], thread, image.data + at[2] * image.slice + at[1] * image.pitch + at[0]);
    context.set_predicate(i.dst[1], thread, inside);
  });
}

// OpenCL's numbers, which PTX has for these.
uint32_t channel_type(const TextureDescriptor& image) {
  constexpr uint32_t kSnorm = 0x10d0, kUnorm = 0x10d2, kSigned = 0x10d7, kUnsigned = 0x10da, kHalf = 0x10dd,
                     kFloat = 0x10de;
  const uint32_t width = image.bits == 8 ? 0 : image.bits == 16 ? 1 : 2;
  if (image.kind == TextureDescriptor::Float) return image.bits == 16 ? kHalf : kFloat;
  if (image.normalised_float) return (image.kind == TextureDescriptor::Signed ? kSnorm : kUnorm) + width;
  return (image.kind == TextureDescriptor::Signed ? kSigned : kUnsigned) + width;
}
uint32_t channel_order(const TextureDescriptor& image) {
  constexpr uint32_t kR = 0x10b0, kRg = 0x10b2, kRgba = 0x10b5;
  return image.channels == 1 ? kR : image.channels == 2 ? kRg : kRgba;
}

uint32_t answer(const Instruction& i, const TextureDescriptor& image, uint32_t number) {
  const ImageLevel& level = image.level[std::min(number, image.levels - 1)];
  if (i.has(Mod::Width)) return level.width;
  if (i.has(Mod::Height)) return level.height;
  if (i.has(Mod::Depth)) return image.layered ? 0 : level.depth;
  if (i.has(Mod::ArraySize)) return image.layered ? level.depth : 0;
  if (i.has(Mod::NumMipmapLevels)) return image.levels;
  if (i.has(Mod::NormalizedCoords)) return image.normalised;
  return i.has(Mod::ChannelOrder) ? channel_order(image) : channel_type(image);
}

void query(Context& context, const Instruction& i, const Lanes& lanes) {
  const uint64_t magic = i.op == Op::QuerySurface ? TextureDescriptor::kSurface : TextureDescriptor::kTexture;
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    const TextureDescriptor& image = image_at(context, thread, context.get_bits(i.src[0], thread), magic);
    const auto level = i.src_count > 1 ? static_cast<uint32_t>(context.get_bits(i.src[1], thread)) : 0;
    context.set_bits(i.dst[0], thread, answer(i, image, level));
  });
}

}  // namespace

Handler select_surface(const Instruction& i) {
  switch (i.op) {
    case Op::SurfaceAddress: return &surface_address;
    case Op::QueryTexture:
    case Op::QuerySurface: return &query;
    default: return nullptr;
  }
}

}  // namespace heddle
