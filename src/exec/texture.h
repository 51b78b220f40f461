// Look-ups in a texture: where they lie, at which mip level.
#pragma once

#include <array>
#include <cstdint>

#include "exec/context.h"
#include "exec/sampler.h"
#include "program/instruction.h"

namespace heddle {

// What the handle of an image stands for; a fault where that is no texture (or no surface).
const TextureDescriptor& image_at(Context& context, Hw thread, Address handle, uint64_t magic);

// A look-up of one thread, as the instruction has written it.
struct TextureLook {
  unsigned dimensions = 0;  // of the coordinates: 3 of a cube
  bool layered = false, cube = false, whole = false;
  uint32_t layer = 0;
  std::array<double, 3> at{};  // f32 or s32, by `whole`
  enum class Level { Base, Given, Gradients } level = Level::Base;
  double lod = 0;
  std::array<double, 3> gradient[2] = {};
};

// The mip level that it asks for, before there is any limit.
double level_of_detail(const TextureDescriptor& texture, const TextureLook& look);

}  // namespace heddle
