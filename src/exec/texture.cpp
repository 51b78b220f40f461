#include "exec/texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "exec/cube.h"
#include "exec/handlers.h"

namespace heddle {
namespace {

bool gives_floats(const TextureDescriptor& texture) {
  return texture.kind == TextureDescriptor::Float || texture.normalised_float != 0;
}

// Halves are rounded away from zero.
float nearest_float(double value) {
  const auto near = static_cast<float>(value);
  if (!(std::abs(near) < std::abs(value))) return near;
  const float beyond = std::nextafter(near, std::copysign(std::numeric_limits<float>::infinity(), near));
  return beyond - value == value - near ? beyond : near;
}

uint32_t result_bits(const TextureDescriptor& texture, double value) {
  if (gives_floats(texture)) return std::bit_cast<uint32_t>(nearest_float(value));
  return static_cast<uint32_t>(static_cast<int64_t>(value));
}

// One look-up at work: what it has touched first is what the load/store unit sees.
class LookUp {
 public:
  LookUp(Context& context, Hw thread, const TextureDescriptor& texture, const TextureLook& look)
      : context_(context), thread_(thread), texture_(texture), look_(look) {}

  Texel texel() {
    const double most = texture_.levels - 1.0, lod = std::clamp(limited_level(), 0.0, most);
    if (!texture_.linear_levels || !gives_floats(texture_) || look_.whole)
      return at_level(static_cast<unsigned>(std::floor(lod + 0.5)), kWholeWeight);
    const auto steps = static_cast<unsigned>(lod * kWholeWeight), low = steps / kWholeWeight;
    const unsigned above = steps % kWholeWeight;
    Texel mean = at_level(low, kWholeWeight - above);
    if (above == 0) return mean;
    const Texel other = at_level(low + 1, above);
    for (unsigned c = 0; c < 4; ++c) mean[c] += other[c];
    return mean;
  }

  std::array<Texel, 4> gathered() {
    Place place = place_in(texture_.level[0]);
    Sampler sampler = sampler_of(texture_.level[0], place);
    const std::array<Texel, 4> texels = sampler.around(place.at);
    touched_ = sampler.touched();
    return texels;
  }

  Address touched() const { return touched_; }

 private:
  struct Place {
    std::array<double, 3> at{};  // in elements
    uint64_t slice = 0;
    unsigned dimensions = 0;
  };

  double limited_level() const {
    if (look_.level == TextureLook::Level::Base || texture_.levels == 1) return 0;
    const double level = level_of_detail(texture_, look_) + texture_.level_bias;
    if (std::isnan(level)) return 0;
    return std::clamp<double>(level, texture_.least_level, std::max(texture_.least_level, texture_.greatest_level));
  }

  bool is_normalised() const { return texture_.normalised != 0 || look_.cube; }

  Place place_in(const ImageLevel& image) const {
    Place place{look_.at, 0, look_.dimensions};
    if (look_.layered) place.slice = look_.layer;
    if (look_.cube) {
      const CubePlace on = cube_place(look_.at);
      place = {{on.s, on.t, 0}, 6 * place.slice + on.face, 2};
    }
    if (look_.layered || look_.cube) place.slice = std::min<uint64_t>(place.slice, std::max(1U, image.depth) - 1);
    if (is_normalised() && !look_.whole) {
      const uint32_t size[] = {image.width, std::max(1U, image.height), std::max(1U, image.depth)};
      for (unsigned k = 0; k < place.dimensions; ++k) place.at[k] *= size[k];
    }
    return place;
  }

  Sampler sampler_of(const ImageLevel& image, const Place& place) const {
    return {context_, thread_, texture_, image, place.dimensions, place.slice, is_normalised()};
  }

  // By `share` of kWholeWeight.
  Texel at_level(unsigned level, unsigned share) {
    const Place place = place_in(texture_.level[level]);
    Sampler sampler = sampler_of(texture_.level[level], place);
    Texel texel{};
    if (look_.whole) {
      std::array<int64_t, 3> element{};
      for (unsigned k = 0; k < 3; ++k) element[k] = static_cast<int64_t>(place.at[k]);
      texel = sampler.fetch(element);
    } else if (texture_.linear && gives_floats(texture_)) {
      texel = sampler.filtered(place.at, share);
    } else {
      texel = sampler.nearest(place.at);
      if (share != kWholeWeight)
        for (double& channel : texel) channel = channel * share / kWholeWeight;
    }
    if (touched_ == 0) touched_ = sampler.touched();
    return texel;
  }

  Context& context_;
  const Hw thread_;
  const TextureDescriptor& texture_;
  const TextureLook& look_;
  Address touched_ = 0;
};

// Sources: the handle, the layer where there is one, coordinates, and the level or two gradients.
TextureLook look_of(const Context& context, const Instruction& i, Hw thread) {
  TextureLook look;
  unsigned next = 1;
  const auto number = [&] {
    const auto bits = static_cast<uint32_t>(context.get_bits(i.src[next++], thread));
    return look.whole ? static_cast<int32_t>(bits) : static_cast<double>(std::bit_cast<float>(bits));
  };
  look.cube = i.has(Mod::Cube) || i.has(Mod::CubeArray);
  look.layered = is_layered(i);
  look.whole = i.source_type == Type::S32;
  look.dimensions = coordinates_of(i);
  if (look.layered) look.layer = static_cast<uint32_t>(context.get_bits(i.src[next++], thread));
  for (unsigned k = 0; k < look.dimensions; ++k) look.at[k] = number();
  if (i.has(Mod::Level)) {
    look.level = TextureLook::Level::Given;
    look.lod = number();
  }
  if (i.has(Mod::Grad)) {
    look.level = TextureLook::Level::Gradients;
    for (auto& gradient : look.gradient)
      for (unsigned k = 0; k < look.dimensions; ++k) gradient[k] = number();
  }
  return look;
}

unsigned component_of(const Instruction& i) {
  return i.has(Mod::R) ? 0 : i.has(Mod::Green) ? 1 : i.has(Mod::MatrixB) ? 2 : 3;
}

std::array<uint32_t, 4> results_of(const Instruction& i, const TextureDescriptor& texture, LookUp& look_up) {
  std::array<uint32_t, 4> bits{};
  if (i.op == Op::Gather) {
    const std::array<Texel, 4> texels = look_up.gathered();
    for (unsigned c = 0; c < 4; ++c) bits[c] = result_bits(texture, texels[c][component_of(i)]);
  } else {
    const Texel texel = look_up.texel();
    for (unsigned c = 0; c < 4; ++c) bits[c] = result_bits(texture, texel[c]);
  }
  return bits;
}

void look_up(Context& context, const Instruction& i, const Lanes& lanes) {
  context.access.space = Space::Global;
  context.access.mask = LaneMask();
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    const TextureDescriptor& texture =
        image_at(context, thread, context.get_bits(i.src[0], thread), TextureDescriptor::kTexture);
    const TextureLook look = look_of(context, i, thread);
    LookUp looking(context, thread, texture, look);
    const auto bits = results_of(i, texture, looking);
    for (unsigned c = 0; c < 4; ++c) context.set_bits(i.dst[c], thread, bits[c]);
    if (i.dst_count > 4) context.set_predicate(i.dst[4], thread, true);  // it is there, as all memory is
    if (looking.touched() == 0) return;
    context.access.bytes = static_cast<uint8_t>(texture.element_bytes());
    context.access.address[k] = looking.touched();
    context.access.mask.add(k);
  });
}

}  // namespace

const TextureDescriptor& image_at(Context& context, Hw thread, Address handle, uint64_t magic) {
  const Extent extent = context.memory.extent_at(handle);
  if (extent.begin == handle && extent.bytes >= sizeof(TextureDescriptor))
    if (const auto* image = reinterpret_cast<const TextureDescriptor*>(context.memory.host(handle));
        image->magic == magic)
      return *image;
  throw context.fault(
      thread,
      fmt::format("{:#x} is no {} object", handle, magic == TextureDescriptor::kTexture ? "texture" : "surface"),
      Fault::Kind::Address);
}

// The longer of the two gradients, in elements of the first level, as a power of two. Lengths are an H200's: of two
// coordinates the greater and 11/32 of the other.
double level_of_detail(const TextureDescriptor& texture, const TextureLook& look) {
  if (look.level != TextureLook::Level::Gradients) return look.lod;
  const ImageLevel& image = texture.level[0];
  const double size[] = {static_cast<double>(image.width), std::max(1.0, static_cast<double>(image.height)),
                         std::max(1.0, static_cast<double>(image.depth))};
  double longest = 0;
  for (const std::array<double, 3>& gradient : look.gradient) {
    std::array<double, 3> step = gradient;
    if (look.cube) {
      const auto [s, t] = cube_change(look.at, gradient);
      step = {s, t, 0};
    }
    double length = 0;
    for (unsigned k = 0; k < (look.cube ? 2 : look.dimensions); ++k) {
      const double along = std::abs(step[k]) * (texture.normalised || look.cube ? size[k] : 1);
      length = std::max(length, along) + std::min(length, along) * 11 / 32;
    }
    longest = std::max(longest, length);
  }
  return std::log2(longest);
}

Handler select_texture(const Instruction& i) { return i.op == Op::Tex || i.op == Op::Gather ? &look_up : nullptr; }

}  // namespace heddle
