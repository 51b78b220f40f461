// Sampling of one slice, or of one volume, of an image, as the CUDA programming guide describes it: addressing modes,
// filtering with weights of eight bits, elements read as they are or as fractions. What the guide leaves open is as an
// H200 does it: coordinates are rounded to 1/256 of an element, and so is the weight of every element by itself.
#pragma once

#include <array>
#include <cstdint>

#include "exec/context.h"
#include "exec/texture_descriptor.h"

namespace heddle {

constexpr unsigned kWholeWeight = 256;

using Texel = std::array<double, 4>;  // holds every 32-bit integer and float exactly

class Sampler {
 public:
  // `dimensions` of the image are sampled. Of a layered one `slice` is the layer, and `normalised` says whether
  // coordinates may wrap.
  Sampler(Context& context, Hw thread, const TextureDescriptor& texture, const ImageLevel& image, unsigned dimensions,
          uint64_t slice, bool normalised)
      : context_(context),
        thread_(thread),
        texture_(texture),
        image_(image),
        dimensions_(dimensions),
        slice_(slice),
        normalised_(normalised) {}

  // Places are in elements. tex1Dfetch and its kind: outside there is nothing.
  Texel fetch(const std::array<int64_t, 3>& where);
  Texel nearest(const std::array<double, 3>& where);
  // The two, four or eight elements around by their weights, which are together `share` of kWholeWeight.
  Texel filtered(const std::array<double, 3>& where, unsigned share);
  // The four elements that filtering in a plane would take, from below on the left against the clock's hands.
  std::array<Texel, 4> around(const std::array<double, 3>& where);

  int64_t size(unsigned dimension) const;
  Address touched() const { return touched_; }  // the element looked at first, or 0

 private:
  Texel at(const std::array<int64_t, 3>& where);
  Texel read(const std::array<int64_t, 3>& element);

  Context& context_;
  const Hw thread_;
  const TextureDescriptor& texture_;
  const ImageLevel& image_;
  const unsigned dimensions_;
  const uint64_t slice_;
  const bool normalised_;
  Address touched_ = 0;
};

}  // namespace heddle
