#include "exec/texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "exec/handlers.h"
#include "exec/numeric/half.h"
#include "exec/resolve.h"

namespace heddle {
namespace {

using Texel = std::array<double, 4>;  // holds every 32-bit integer and float exactly

// The element a whole coordinate means; -1 is the border.
int64_t place(int64_t at, int64_t size, uint32_t mode, bool normalised) {
  if (at >= 0 && at < size) return at;
  // Unnormalised coordinates know clamping and the border only.
  if (mode == TextureDescriptor::Wrap && normalised) return ((at % size) + size) % size;
  if (mode == TextureDescriptor::Mirror && normalised) {
    const int64_t turn = ((at % (2 * size)) + 2 * size) % (2 * size);
    return turn < size ? turn : 2 * size - 1 - turn;
  }
  if (mode == TextureDescriptor::Border) return -1;
  return std::clamp<int64_t>(at, 0, size - 1);
}

double channel_value(const TextureDescriptor& texture, uint64_t bits) {
  const unsigned width = texture.bits;
  if (texture.kind == TextureDescriptor::Float)
    return width == 16 ? numeric::widen(numeric::F16{static_cast<uint16_t>(bits)})
                       : std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (texture.kind == TextureDescriptor::Unsigned) {
    const auto value = static_cast<double>(bits);
    return texture.normalised_float ? static_cast<float>(value / (std::exp2(width) - 1)) : value;
  }
  const auto value = static_cast<double>(static_cast<int64_t>(bits << (64 - width)) >> (64 - width));
  return texture.normalised_float ? static_cast<float>(std::max(-1.0, value / (std::exp2(width - 1) - 1))) : value;
}

class Sampler {
 public:
  Sampler(Context& context, Hw thread, const TextureDescriptor& texture, unsigned dimensions)
      : context_(context), thread_(thread), texture_(texture), dimensions_(dimensions) {}

  Texel at(const std::array<int64_t, 3>& where) {
    std::array<int64_t, 3> element{};
    for (unsigned k = 0; k < dimensions_; ++k) {
      element[k] = place(where[k], size(k), texture_.address[k], texture_.normalised != 0);
      if (element[k] < 0) return {texture_.border[0], texture_.border[1], texture_.border[2], texture_.border[3]};
    }
    return read(element);
  }

  // tex1Dfetch and its kind: outside there is nothing.
  Texel fetch(const std::array<int64_t, 3>& where) {
    for (unsigned k = 0; k < dimensions_; ++k)
      if (where[k] < 0 || where[k] >= size(k)) return {};
    return read(where);
  }

  Texel nearest(const std::array<double, 3>& where) {
    std::array<int64_t, 3> element{};
    for (unsigned k = 0; k < dimensions_; ++k) element[k] = static_cast<int64_t>(std::floor(where[k]));
    return at(element);
  }

  // The weighted mean of the two, four or eight elements around; weights have eight bits behind the point.
  Texel filtered(const std::array<double, 3>& where) {
    std::array<int64_t, 3> low{};
    std::array<double, 3> weight{};
    for (unsigned k = 0; k < dimensions_; ++k) {
      const double shifted = where[k] - 0.5;
      low[k] = static_cast<int64_t>(std::floor(shifted));
      weight[k] = std::floor((shifted - std::floor(shifted)) * 256 + 0.5) / 256;
    }
    Texel sum{};
    for (unsigned corner = 0; corner < 1U << dimensions_; ++corner) {
      std::array<int64_t, 3> element = low;
      double share = 1;
      for (unsigned k = 0; k < dimensions_; ++k) {
        const bool high = corner >> k & 1U;
        element[k] += high ? 1 : 0;
        share *= high ? weight[k] : 1 - weight[k];
      }
      if (share == 0) continue;
      const Texel texel = at(element);
      for (unsigned c = 0; c < 4; ++c) sum[c] += share * texel[c];
    }
    return sum;
  }

  int64_t size(unsigned dimension) const {
    return std::max<int64_t>(1, dimension == 0 ? texture_.width : dimension == 1 ? texture_.height : texture_.depth);
  }
  Address touched() const { return touched_; }

 private:
  Texel read(const std::array<int64_t, 3>& element) {
    const unsigned bytes = texture_.bits / 8;
    const Address address = texture_.data + static_cast<uint64_t>(element[2]) * texture_.slice +
                            static_cast<uint64_t>(element[1]) * texture_.pitch +
                            static_cast<uint64_t>(element[0]) * bytes * texture_.channels;
    if (touched_ == 0) touched_ = address;
    Texel texel{0, 0, 0, 1};
    for (unsigned c = 0; c < texture_.channels; ++c) {
      uint64_t bits = 0;
      std::memcpy(&bits, resolve_generic(context_, thread_, address + c * bytes, bytes, false), bytes);
      texel[c] = channel_value(texture_, bits);
    }
    return texel;
  }

  Context& context_;
  const Hw thread_;
  const TextureDescriptor& texture_;
  const unsigned dimensions_;
  Address touched_ = 0;
};

bool gives_floats(const TextureDescriptor& texture) {
  return texture.kind == TextureDescriptor::Float || texture.normalised_float != 0;
}

uint32_t result_bits(const TextureDescriptor& texture, double value) {
  if (gives_floats(texture)) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return static_cast<uint32_t>(static_cast<int64_t>(value));
}

const TextureDescriptor& texture_at(Context& context, Hw thread, Address handle) {
  const Extent extent = context.memory.extent_at(handle);
  if (extent.begin == handle && extent.bytes >= sizeof(TextureDescriptor))
    if (const auto* texture = reinterpret_cast<const TextureDescriptor*>(context.memory.host(handle));
        texture->magic == TextureDescriptor::kMagic)
      return *texture;
  throw context.fault(thread, fmt::format("tex: {:#x} is no texture object", handle), Fault::Kind::Address);
}

unsigned dimensions_of(const Instruction& i) { return i.has(Mod::OneD) ? 1 : i.has(Mod::TwoD) ? 2 : 3; }

void look_up(Context& context, const Instruction& i, const Lanes& lanes) {
  const unsigned dimensions = dimensions_of(i);
  context.access.space = Space::Global;
  context.access.mask = LaneMask();
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    const TextureDescriptor& texture = texture_at(context, thread, context.get_bits(i.src[0], thread));
    std::array<uint32_t, 3> coordinates{};
    for (unsigned d = 0; d < dimensions; ++d)
      coordinates[d] = static_cast<uint32_t>(context.get_bits(i.src[1 + d], thread));
    Address touched = 0;
    const auto texel =
        sample_texture(context, thread, texture, coordinates, dimensions, i.source_type == Type::S32, touched);
    for (unsigned c = 0; c < i.dst_count; ++c) context.set_bits(i.dst[c], thread, texel[c]);
    if (touched == 0) return;
    context.access.bytes = static_cast<uint8_t>(texture.bits / 8 * texture.channels);
    context.access.address[k] = touched;
    context.access.mask.add(k);
  });
}

}  // namespace

std::array<uint32_t, 4> sample_texture(Context& context, Hw thread, const TextureDescriptor& texture,
                                       const std::array<uint32_t, 3>& coordinates, unsigned dimensions, bool whole,
                                       Address& touched) {
  Sampler sampler(context, thread, texture, dimensions);
  Texel texel{};
  if (whole) {
    std::array<int64_t, 3> element{};
    for (unsigned k = 0; k < dimensions; ++k) element[k] = static_cast<int32_t>(coordinates[k]);
    texel = sampler.fetch(element);
  } else {
    std::array<double, 3> where{};
    for (unsigned k = 0; k < dimensions; ++k)
      where[k] =
          std::bit_cast<float>(coordinates[k]) * (texture.normalised ? static_cast<double>(sampler.size(k)) : 1.0);
    texel = texture.linear && gives_floats(texture) ? sampler.filtered(where) : sampler.nearest(where);
  }
  touched = sampler.touched();
  std::array<uint32_t, 4> bits{};
  for (unsigned c = 0; c < 4; ++c) bits[c] = result_bits(texture, texel[c]);
  return bits;
}

Handler select_texture(const Instruction& i) { return i.op == Op::Tex ? &look_up : nullptr; }

}  // namespace heddle
