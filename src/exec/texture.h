// Sampling of a texture, as the CUDA programming guide describes it: addressing modes, filtering with weights of eight
// bits, elements read as they are or as fractions.
#pragma once

#include <array>
#include <cstdint>

#include "exec/context.h"
#include "exec/texture_descriptor.h"

namespace heddle {

// One thread's look-up: coordinates as written (f32 or s32, by `whole`), the four results as bits of the instruction's
// type. `touched` is the address of the element looked at first, or 0.
std::array<uint32_t, 4> sample_texture(Context& context, Hw thread, const TextureDescriptor& texture,
                                       const std::array<uint32_t, 3>& coordinates, unsigned dimensions, bool whole,
                                       Address& touched);

}  // namespace heddle
