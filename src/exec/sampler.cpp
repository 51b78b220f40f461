#include "exec/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "exec/numeric/half.h"
#include "exec/resolve.h"

namespace heddle {
namespace {

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

// Nothing beyond it makes a difference, and it fits an integer.
int64_t whole(double where) {
  constexpr double kFar = 1e15;
  return std::isnan(where) ? 0 : static_cast<int64_t>(std::clamp(std::floor(where), -kFar, kFar));
}

// Where filtering begins: the element below, and the weight of the one above it.
struct Between {
  int64_t low;
  unsigned weight;
};
Between between(double where) {
  const double rounded = std::floor((where - 0.5) * kWholeWeight + 0.5) / kWholeWeight;
  const double low = std::floor(rounded);
  return {whole(rounded), std::isfinite(rounded) ? static_cast<unsigned>((rounded - low) * kWholeWeight) : 0};
}

// What the upper of two elements gets of their common share; halves are rounded up, or down.
unsigned upper(unsigned share, unsigned weight) { return (share * weight + kWholeWeight / 2) / kWholeWeight; }
unsigned upper_down(unsigned share, unsigned weight) { return (share * weight + kWholeWeight / 2 - 1) / kWholeWeight; }

// Of the corners, x in bit 0, y in bit 1, z in bit 2: z is shared out first, then x, then y.
std::array<unsigned, 8> corner_weights(const std::array<Between, 3>& at, unsigned share) {
  std::array<unsigned, 8> weight{};
  const unsigned above = upper(share, at[2].weight);
  for (const unsigned z : {0U, 4U}) {
    const unsigned here = z ? above : share - above, right = upper(here, at[0].weight), left = here - right;
    weight[z | 3] = upper(right, at[1].weight);
    weight[z | 2] = upper_down(left, at[1].weight);
    weight[z | 1] = right - weight[z | 3];
    weight[z] = left - weight[z | 2];
  }
  return weight;
}

}  // namespace

Texel Sampler::fetch(const std::array<int64_t, 3>& where) {
  for (unsigned k = 0; k < dimensions_; ++k)
    if (where[k] < 0 || where[k] >= size(k)) return {};
  return read(where);
}

Texel Sampler::nearest(const std::array<double, 3>& where) {
  std::array<int64_t, 3> element{};
  for (unsigned k = 0; k < dimensions_; ++k) element[k] = whole(where[k]);
  return at(element);
}

Texel Sampler::filtered(const std::array<double, 3>& where, unsigned share) {
  std::array<Between, 3> around{};
  for (unsigned k = 0; k < dimensions_; ++k) around[k] = between(where[k]);
  const std::array<unsigned, 8> weights = corner_weights(around, share);
  Texel sum{};
  for (unsigned corner = 0; corner < weights.size(); ++corner) {
    if (weights[corner] == 0) continue;
    std::array<int64_t, 3> element{};
    for (unsigned k = 0; k < 3; ++k) element[k] = around[k].low + (corner >> k & 1U);
    const Texel texel = at(element);
    for (unsigned c = 0; c < 4; ++c) sum[c] += weights[corner] * texel[c] / kWholeWeight;
  }
  return sum;
}

std::array<Texel, 4> Sampler::around(const std::array<double, 3>& where) {
  const int64_t x = between(where[0]).low, y = between(where[1]).low;
  return {at({x, y + 1, 0}), at({x + 1, y + 1, 0}), at({x + 1, y, 0}), at({x, y, 0})};
}

int64_t Sampler::size(unsigned dimension) const {
  return std::max<int64_t>(1, dimension == 0 ? image_.width : dimension == 1 ? image_.height : image_.depth);
}

Texel Sampler::at(const std::array<int64_t, 3>& where) {
  std::array<int64_t, 3> element{};
  for (unsigned k = 0; k < dimensions_; ++k) {
    element[k] = place(where[k], size(k), texture_.address[k], normalised_);
    if (element[k] < 0) return {texture_.border[0], texture_.border[1], texture_.border[2], texture_.border[3]};
  }
  return read(element);
}

Texel Sampler::read(const std::array<int64_t, 3>& element) {
  const unsigned bytes = texture_.bits / 8;
  const Address address = image_.data + (slice_ + static_cast<uint64_t>(element[2])) * image_.slice +
                          static_cast<uint64_t>(element[1]) * image_.pitch +
                          static_cast<uint64_t>(element[0]) * texture_.element_bytes();
  if (touched_ == 0) touched_ = address;
  Texel texel{0, 0, 0, 1};
  for (unsigned c = 0; c < texture_.channels; ++c) {
    uint64_t bits = 0;
    std::memcpy(&bits, resolve_generic(context_, thread_, address + c * bytes, bytes, false), bytes);
    texel[c] = channel_value(texture_, bits);
  }
  return texel;
}

}  // namespace heddle
